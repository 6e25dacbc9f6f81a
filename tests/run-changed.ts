import { execFileSync } from 'node:child_process';
import { runTogether, type Step, script } from './run-steps.ts';

/**
 * `npm run test:changed [-- commit]`: runs lint for the files that changed since a commit (default: the last one), all
 * types, and the unit and component tests that import a changed file, directly or not.
 */
const since = process.argv[2] ?? 'HEAD';

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', '--relative', since),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const lint: Step = {
  name: 'lint',
  command: ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed],
};
const tests = (project: string): Step => ({
  name: `${project} tests`,
  command: ['vitest', 'run', '--project', project, '--changed', since, '--passWithNoTests'],
});

if (changed.length === 0) console.log(`nothing has changed since ${since}`);
else if (!(await runTogether([lint, script('types'), tests('unit'), tests('component')])))
  process.exitCode = 1;
console.log(
  'Left to npm test: the build, integration, fault drills, end-to-end, and unit and component tests of what did not change.',
);
