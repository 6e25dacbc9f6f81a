import { join } from 'node:path';
import { TAKES_ALL } from './matrix.ts';
import { runSteps } from './run-steps.ts';

const needs = ['build', 'test:packages'];

/** The scripts of `npm test` and what each needs; the longest first, so that none is left alone with a core. */
const STEPS = {
  build: {},
  'test:packages': {},
  'test:e2e': { needs },
  'test:integration': { needs },
  'test:engines': { needs },
  'test:pictures': { needs },
  'test:component': { needs: ['test:packages'] },
  'test:unit': {},
  lint: {},
  types: {},
  unused: {},
};

/** A third one that computes kept the cores no busier, and browsers waiting. */
const CONCURRENCY = 2;

// The steps start a hundred processes: most of their start is the compilation of what others have compiled before.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/compile');

// The drill measures how long responses take: beside other steps it would measure those.
const hasPassed =
  (await runSteps(STEPS, CONCURRENCY)) && (!TAKES_ALL || (await runSteps({ 'drill:short': {} }, 1)));
if (!hasPassed) process.exitCode = 1;
