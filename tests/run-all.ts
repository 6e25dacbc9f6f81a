import { runInOrder } from './run-steps.ts';

const BUILT = ['build', 'test:packages'];

/** The steps of `npm test` and what each needs; the longest first, so that none is left alone with a core. */
const STEPS = {
  build: [],
  'test:packages': [],
  'test:e2e': BUILT,
  'test:integration': BUILT,
  'drill:short': BUILT,
  'test:engines': BUILT,
  'test:pictures': BUILT,
  'test:component': ['test:packages'],
  'test:unit': [],
  lint: [],
  types: [],
  unused: [],
};

/** Three kept the cores no busier, and browsers waiting. */
const CONCURRENCY = 2;

if (!(await runInOrder(STEPS, CONCURRENCY))) process.exitCode = 1;
