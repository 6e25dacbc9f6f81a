import { execFileSync } from 'node:child_process';
import { runSteps, type Step } from './run-steps.ts';

/**
 * `npm run test:changed [-- commit]`: runs what the changes since a commit (default: the last one) can break; of
 * another branch, since this one has left it. Lint of the changed files, types, words, the tests that read the sources, and
 * the unit, component and integration tests that import a changed file, directly or not. Where pages may have changed, the
 * build, and the tests that walk all pages or compare with a list of them.
 */
const since = process.argv[2] ?? 'HEAD';

/** What pages are made of. */
const IN_PAGES = /^(client(?!\/dashboard)|shared)\//;
const IN_BUILD = /^(client|shared|server|wordpress|tools)\/|^(package-lock\.json|vite\.config\.ts)$/;
const IN_COMPONENT_TESTS = /^(client|shared|tests\/component)\//;
/** Lists that nearly every test imports. A line more in them breaks only what compares with them: `PAGE_TESTS`. */
const LISTS = /^(shared\/texts\/|client\/routes\.tsx$|client\/layout\/site-links\.ts$)/;
const TEST = /\.test\.tsx?$/;
const CODE = /\.(tsx?|css)$/;

/** Integration tests that walk all pages, or compare with a list of them. */
const PAGE_TESTS = [
  'tests/budgets/budgets.test.ts',
  'tests/integration/generated-docs.test.ts',
  'tests/integration/pages/crawl.test.ts',
  'tests/integration/pages/document.test.ts',
  'tests/integration/pages/static-pages.test.ts',
  'tests/integration/pages/valid-html.test.ts',
];
/** Unit tests that read the sources instead of importing them. */
const SOURCE_TESTS = ['house-rules', 'links', 'source-text', 'style-sheets', 'supply'].map(
  (name) => `tests/supply/${name}.test.ts`,
);

interface Change {
  file: string;
  isAdded: boolean;
  /** Lines that were taken away or replaced. */
  removedLines: number;
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

function changesSince(commit: string): Change[] {
  const diff = ['diff', '--relative', '--no-renames', '--diff-filter=d'];
  const added = new Set([
    ...git(...diff, '--diff-filter=A', '--name-only', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]);
  const tracked = git(...diff, '--numstat', commit).map((line): Change => {
    const [, removed = '0', file = ''] = line.split('\t');
    return { file, isAdded: added.has(file), removedLines: Number(removed) };
  });
  const untracked = [...added].filter((file) => !tracked.some((change) => change.file === file));
  return [...tracked, ...untracked.map((file) => ({ file, isAdded: true, removedLines: 0 }))];
}

const [base = since] = git('merge-base', since, 'HEAD');
const changes = changesSince(base);
const files = changes.map(({ file }) => file);
const arePagesChanged = files.some((file) => IN_PAGES.test(file));
const isBuildChanged = files.some((file) => IN_BUILD.test(file));
/** Files whose importers may break. What imports a new one has changed itself. */
const imported = changes
  .filter(({ file, isAdded, removedLines }) => {
    const isOnlyMore = isAdded ? !TEST.test(file) : LISTS.test(file) && removedLines === 0;
    return CODE.test(file) && !isOnlyMore;
  })
  .map(({ file }) => file);
const importedByComponents = imported.filter((file) => IN_COMPONENT_TESTS.test(file));
/** Nearly every integration test imports the pages, and few depend on one. */
const importedBySites = imported.filter((file) => !IN_PAGES.test(file) && !PAGE_TESTS.includes(file));

const run = (project: string, related: readonly string[]): Step => ({
  command: ['vitest', 'related', '--run', '--project', project, '--passWithNoTests', ...related],
});
const needs = isBuildChanged ? ['build'] : [];
const steps: Record<string, Step> = {
  ...(isBuildChanged && { build: {} }),
  types: {},
  lint: { command: ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...files] },
  words: {},
  ...(arePagesChanged && {
    'pages and documents': { command: ['vitest', 'run', '--project', 'integration', ...PAGE_TESTS], needs },
  }),
  'unit tests': run('unit', [...SOURCE_TESTS, ...imported]),
  ...(importedByComponents.length > 0 && { 'component tests': run('component', importedByComponents) }),
  ...(importedBySites.length > 0 && {
    'integration tests': { ...run('integration', importedBySites), needs },
  }),
};

if (changes.length === 0) console.log(`nothing has changed since ${since}`);
else if (!(await runSteps(steps, 2))) process.exitCode = 1;
console.log(
  'Left to npm test: fault drills, browsers on the whole site, pictures, and tests of what did not change.',
);
