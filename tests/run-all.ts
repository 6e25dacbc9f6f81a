import { runTogether, script } from './run-steps.ts';

/** The steps of `npm test`. Each stage needs the one before it; the steps of a stage run concurrently. */
const STAGES = [
  ['lint', 'types', 'unused', 'build', 'test:unit', 'test:packages'],
  ['test:integration', 'drill:short'],
  ['test:component', 'test:e2e', 'test:engines', 'test:pictures'],
];

for (const stage of STAGES) {
  if (await runTogether(stage.map(script))) continue;
  process.exitCode = 1;
  break;
}
