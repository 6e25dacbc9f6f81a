import { foretellBehindCdn } from './cdn-model.ts';
import { measure } from './measured.ts';
import { foretell, type RecordedAccess } from './model.ts';

/**
 * What the cache does with more readers, pages and instances than a machine has room for: the real cache code on a
 * clock of its own. Prints Markdown tables; `docs/operating/several-instances.md` says how to read them. `--measured`
 * holds the small end against two real instances and fails where they differ by more than a quarter.
 */

const TYPICAL: RecordedAccess = {
  pages: 1_000,
  ttlSeconds: 60,
  instances: 2,
  shared: true,
  readsPerSecond: 50,
  minutes: 10,
  roomFor: 20_000,
};

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function table(title: string, rows: Partial<RecordedAccess>[]): Promise<void> {
  print(`\n### ${title}\n`);
  print(
    '| articles | readers a second | fresh for | instances | Redis | upstream calls a minute | reads without a wait | entries each |',
  );
  print('| ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |');
  for (const row of rows) {
    const accessHistory = { ...TYPICAL, ...row };
    const { upstreamCallsPerMinute, hitRatio, entries } = await foretell(accessHistory);
    const { pages, readsPerSecond, ttlSeconds, instances, shared } = accessHistory;
    const cells = [
      pages.toLocaleString('en'),
      readsPerSecond.toLocaleString('en'),
      `${ttlSeconds} s`,
      instances,
      shared ? 'yes' : 'no',
      Math.round(upstreamCallsPerMinute).toLocaleString('en'),
      `${(hitRatio * 100).toFixed(2)} %`,
      entries.toLocaleString('en'),
    ];
    print(`| ${cells.join(' | ')} |`);
  }
}

/** A day of readers behind a CDN: two instances with Redis, a thousand articles, each changed once in six hours. */
async function tableBehindCdn(): Promise<void> {
  print('\n### Behind a CDN\n');
  print(
    '| documents a day | fresh for | edge hits | documents with an old value | documents from the site a minute | purges an hour | upstream calls a minute |',
  );
  print('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const documentsPerDay of [100_000, 1_000_000, 10_000_000])
    for (const ttlSeconds of [10, 30, 60, 300]) {
      const outcome = await foretellBehindCdn({ documentsPerDay, ttlSeconds });
      const cells = [
        documentsPerDay.toLocaleString('en'),
        `${ttlSeconds} s`,
        `${(outcome.edgeHitRatio * 100).toFixed(1)} %`,
        `${(outcome.outdatedRatio * 100).toFixed(2)} %`,
        Math.round(outcome.documentsFromSitePerMinute).toLocaleString('en'),
        Math.round(outcome.purgesPerHour).toLocaleString('en'),
        Math.round(outcome.upstreamCallsPerMinute).toLocaleString('en'),
      ];
      print(`| ${cells.join(' | ')} |`);
    }
}

async function hold(): Promise<void> {
  const small = { pages: 20, ttlSeconds: 2, instances: 2, readsPerSecond: 40, minutes: 2, roomFor: 1_000 };
  print('\n### The model beside two real instances\n');
  print('| Redis | foretold | measured | measured / foretold |');
  print('| --- | ---: | ---: | ---: |');
  for (const shared of [false, true]) {
    const { upstreamCallsPerMinute } = await foretell({ ...small, shared });
    const measured = await measure({ ...small, shared }, 20);
    const ratio = measured / upstreamCallsPerMinute;
    print(
      `| ${shared ? 'yes' : 'no'} | ${Math.round(upstreamCallsPerMinute)} | ${Math.round(measured)} | ${ratio.toFixed(2)} |`,
    );
    if (Math.abs(ratio - 1) > 0.25) process.exitCode = 1;
  }
}

await table('Instances, with and without Redis', [
  { instances: 1, shared: false },
  ...[2, 4, 8].flatMap((instances) => [
    { instances, shared: false },
    { instances, shared: true },
  ]),
]);
await table(
  'How long an article is fresh',
  [10, 30, 60, 300].map((ttlSeconds) => ({ ttlSeconds })),
);
await table('A burst of a hundred times', [{ readsPerSecond: 20 }, { readsPerSecond: 2_000, minutes: 6 }]);
await table(
  'More articles',
  [100, 10_000, 100_000, 1_000_000].map((pages) => ({ pages, readsPerSecond: 500, minutes: 8 })),
);
await table(
  'More room, of 100,000 articles',
  [1_300, 5_000, 20_000].map((roomFor) => ({
    pages: 100_000,
    readsPerSecond: 500,
    minutes: 8,
    instances: 1,
    shared: false,
    roomFor,
  })),
);
await tableBehindCdn();
if (process.argv.includes('--measured')) await hold();
