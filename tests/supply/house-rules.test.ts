import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, it } from 'vitest';
import { mapVariables } from '#server/config/config.ts';

/** The rules of CONTRIBUTING ("How a service is made and injected", "How time and randomness come in"). */
const root = join(import.meta.dirname, '../..');

function sourcesIn(folders: string): string[] {
  const files = globSync(`${folders}/**/*.{ts,tsx}`, { cwd: root });
  return files.filter((file) => !/\.test\.tsx?$/.test(file)).toSorted();
}

/** What breaks a rule, and why it may. */
interface Exception {
  file: string;
  reason: string;
}

interface Rule {
  title: string;
  /** Default: the server. */
  folders?: string;
  /** Matches a line that breaks it. */
  broken: RegExp;
  exceptions: Exception[];
}

const COMMENT = /^\s*(?:\/?\*|\/\/)/;

const RULES: Rule[] = [
  {
    title: 'no module has state of its own',
    folders: '{client,server,shared}',
    // What begins empty is filled later.
    broken:
      /^(?:export )?(?:let |const \w+(?:: (?!Readonly|readonly)[^=]+)? = (?:new LRUCache\b|new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|\[\]))/,
    exceptions: [
      { file: 'client/entry-client.tsx', reason: 'runs once in a document' },
      { file: 'client/entry-server.tsx', reason: 'memo: the router of the last site' },
      { file: 'client/load-scripts.ts', reason: 'runs once in a document' },
      { file: 'server/cms/normalise/normalise-date.ts', reason: 'memo: one for each time zone' },
      {
        file: 'server/content/cache-queries.ts',
        reason: 'what a value was made of, as long as the value lives',
      },
      { file: 'server/http/rate-limit.ts', reason: 'memo' },
      { file: 'server/http/response/content-negotiation.ts', reason: 'memo' },
      { file: 'server/ops/metrics/record-metrics.ts', reason: 'collectors of the process cannot be stopped' },
      { file: 'server/views/public-ip.ts', reason: 'memo' },
      { file: 'server/views/view-filter.ts', reason: 'memo' },
    ],
  },
  {
    title: 'what is no error is no class',
    broken: /^(?:export )?(?:abstract )?class (?!\w+ extends \w*Error\b)|\breturn class\b/,
    exceptions: [
      {
        file: 'server/cache/dependencies/dependency-tracker.ts',
        reason: 'what a build has read is asked of it',
      },
      { file: 'server/http/rate-limit.ts', reason: '@fastify/rate-limit constructs its store' },
    ],
  },
  {
    title: 'one file reads the clock',
    broken: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b/,
    exceptions: [
      { file: 'server/content/section-deadline.ts', reason: 'how long until one timer' },
      { file: 'server/http/refusals.ts', reason: 'the header Date' },
      { file: 'server/outbox/redis-queue.ts', reason: 'compared with times that BullMQ has set' },
      { file: 'server/process/graceful-shutdown.ts', reason: 'the process ends' },
      { file: 'server/process/logger.ts', reason: 'made before bootstrap' },
      {
        file: 'server/render/render-response.ts',
        reason: 'how long one page takes, on the render thread too',
      },
      { file: 'server/render/shared-assets.ts', reason: 'compared with times of files' },
      { file: 'server/time.ts', reason: 'this is it' },
      { file: 'server/tracing/opentelemetry-tracing.ts', reason: 'the clock of OpenTelemetry' },
    ],
  },
  {
    title: 'the clock comes in as an option',
    broken: /\bsystemClock\b/,
    exceptions: [
      { file: 'server/bootstrap.ts', reason: 'the default: passes it to the services' },
      { file: 'server/main.ts', reason: 'above bootstrap' },
      { file: 'server/time.ts', reason: 'makes it' },
    ],
  },
  {
    title: 'chance comes in as an option',
    // As the default of an option it is not called.
    broken: /\bMath\.random\(/,
    exceptions: [],
  },
  {
    title: 'one file sets timers that go off once',
    broken: /(?<!\.)\bsetTimeout\b/,
    exceptions: [{ file: 'server/time.ts', reason: 'this is it' }],
  },
  {
    title: 'a request of the browser ends by one signal: in WebKit one of several ended none',
    folders: 'client',
    broken: /\bAbortSignal\.any\b/,
    exceptions: [],
  },
];

it.each(RULES)('$title', ({ folders = 'server', broken, exceptions }) => {
  const breaking = sourcesIn(folders).filter((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .some((line) => !COMMENT.test(line) && broken.test(line)),
  );
  expect(breaking).toEqual(exceptions.map(({ file }) => file));
});

/** Returns the variables of a part of the configuration by their keys. */
function keysOf(part: unknown, key = ''): [key: string, variable: string][] {
  if (typeof part === 'string') return [[key, part]];
  return Object.entries(Object(part)).flatMap(([inner, of]) => keysOf(of, inner));
}

it('every variable of the environment is read by what it is for', () => {
  const files = sourcesIn('server').filter((file) => !file.startsWith('server/config/'));
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const unread = keysOf(mapVariables(({ name }) => name)).filter(
    ([key]) => !new RegExp(`\\b${key}\\b`).test(text),
  );
  expect(unread, 'declared in server/config, and read by no other file of server').toEqual([]);
});

it('the paths of the API stand in one place', () => {
  const naming = sourcesIn('{client,server}').filter((file) =>
    /['"`]\/api\//.test(readFileSync(join(root, file), 'utf8')),
  );
  // Those of the upstream begin alike.
  expect(naming).toEqual(['server/cms/cms-calls.ts', 'server/config/upstream-variables.ts']);
});

const IMPORT = /(?:from |import\()'((?:\.{1,2}\/|#server\/)[^']+)'/g;

/** Returns how a file of the server spells an import of another: from its own folder on, or from `#server/`. */
function spelling(file: string, imported: string): string {
  const folder = dirname(file);
  const target = imported.startsWith('#') ? imported.slice(1) : normalize(join(folder, imported));
  if (!target.startsWith('server/')) return imported;
  return target.startsWith(`${folder}/`) ? `./${relative(folder, target)}` : `#${target}`;
}

it('the server spells its imports in one way', () => {
  const others = globSync('server/**/*.ts', { cwd: root }).flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(IMPORT), ([, imported = '']) => imported)
      .filter((imported) => imported !== spelling(file, imported))
      .map((imported) => `${file}: ${imported} is ${spelling(file, imported)}`),
  );
  expect(others).toEqual([]);
});
