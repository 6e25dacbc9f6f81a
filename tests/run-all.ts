import { join } from 'node:path';
import { runInOrder } from './run-steps.ts';

const BUILT = ['build', 'test:packages'];

/** The steps of `npm test` and what each needs; the longest first, so that none is left alone with a core. */
const STEPS = {
  build: [],
  'test:packages': [],
  'drill:short': BUILT,
  'test:e2e': BUILT,
  'test:integration': BUILT,
  'test:engines': BUILT,
  'test:pictures': BUILT,
  'test:component': ['test:packages'],
  'test:unit': [],
  lint: [],
  types: [],
  unused: [],
};

/** A third one that computes kept the cores no busier, and browsers waiting. */
const CONCURRENCY = 2;
/** Steps that run beside those: the drill waits for half of its time. */
const MOSTLY_WAITING = new Set(['drill:short']);

// The steps start a hundred processes: most of their start is the compilation of what others have compiled before.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/compile');

if (!(await runInOrder(STEPS, CONCURRENCY, MOSTLY_WAITING))) process.exitCode = 1;
