import { runTogether, script } from './run-steps.ts';

/** `npm test`: each stage needs the one before it, and what is in a stage runs at the same time. */
const STAGES = [['lint', 'types', 'build', 'test:unit'], ['test:integration', 'drill:short'], ['test:e2e']];

for (const stage of STAGES) {
  if (await runTogether(stage.map(script))) continue;
  process.exitCode = 1;
  break;
}
