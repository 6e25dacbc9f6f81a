import { execFileSync } from 'node:child_process';
import { runSteps, type Step } from './run-steps.ts';

/**
 * `npm run test:changed [-- commit]`: runs what the changes since a commit (default: the last one) can break. Lint of the
 * changed files, types, and the unit and component tests that import one, directly or not; where pages may have changed,
 * the build and the tests that walk all pages and compare the lists of them; of the other integration tests those that
 * import a changed file.
 */
const since = process.argv[2] ?? 'HEAD';

/** What a page is made of. Nearly every integration test imports it, few depend on one page: those are `PAGE_TESTS`. */
const PAGES = /^(client|shared)\//;
const OF_DASHBOARD = /^client\/dashboard\//;
const IN_BUILD = /^(client|shared|server|wordpress|tools)\/|^(package-lock\.json|vite\.config\.ts)$/;
const IN_TESTS = /^(server|demo|wordpress|tools|tests)\//;
const TYPESCRIPT = /\.tsx?$/;

/** Integration tests that walk all pages, or compare with a list of them. */
const PAGE_TESTS = [
  'api/openapi',
  'generated-docs',
  'http/canonical-urls',
  'http/front-cache',
  'pages/crawl',
  'pages/document',
  'pages/static-pages',
  'pages/valid-html',
].map((name) => `tests/integration/${name}.test.ts`);
const BUDGETS = 'tests/budgets/budgets.test.ts';

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', '--relative', since),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const arePagesChanged = changed.some((file) => PAGES.test(file) && !OF_DASHBOARD.test(file));
const isBuildChanged = changed.some((file) => IN_BUILD.test(file));
const imported = changed.filter(
  (file) => IN_TESTS.test(file) && TYPESCRIPT.test(file) && !(arePagesChanged && PAGE_TESTS.includes(file)),
);

const byImports = (project: string): Step => ({
  command: ['vitest', 'run', '--project', project, '--changed', since, '--passWithNoTests'],
});
const needs = isBuildChanged ? ['build'] : [];
const steps: Record<string, Step> = {
  ...(isBuildChanged && { build: {} }),
  lint: { command: ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed] },
  types: {},
  words: {},
  ...(arePagesChanged && {
    'pages and documents': {
      command: ['vitest', 'run', '--project', 'integration', ...PAGE_TESTS, BUDGETS],
      needs,
    },
  }),
  'unit tests': byImports('unit'),
  'component tests': byImports('component'),
  ...(imported.length > 0 && {
    'integration tests': {
      command: ['vitest', 'related', '--run', '--project', 'integration', '--passWithNoTests', ...imported],
      needs,
    },
  }),
};

if (changed.length === 0) console.log(`nothing has changed since ${since}`);
else if (!(await runSteps(steps, 2))) process.exitCode = 1;
console.log(
  'Left to npm test: fault drills, browsers on the whole site, pictures, and tests of what did not change.',
);
