import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon, { type Request } from 'autocannon';
import { z } from 'zod';
import { seeded, zipf } from '../tests/seeded.ts';
import { sendMixedLoad } from './mixed-load.ts';
import { startMeasured, startSite } from './processes.ts';

/**
 * Prints the sizing table of docs/operating/several-instances.md: processor time and memory of one instance at constant
 * rates of readers, after its cache has been filled.
 */

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
/** Requests that fill the cache: seven in ten are new pages, of which a megabyte keeps some twenty. */
const FILLING_REQUESTS_BY_MB = 28;
const FILLING_RATE = 30;
const CONNECTIONS = 100;
/** One reader in fifty asks for what nobody has asked for before. */
const NEW_PAGES = 0.02;
const ROWS = [
  { cacheMb: 64, readsPerSecond: 50 },
  { cacheMb: 128, readsPerSecond: 200 },
  { cacheMb: 256, readsPerSecond: 500 },
  { cacheMb: 256, readsPerSecond: 2_000 },
];

const Posts = z
  .array(z.object({ cat_slug: z.string(), post_name: z.string() }))
  .transform((posts) => posts.map(({ cat_slug, post_name }) => `/${cat_slug}/${post_name}`));
const Topic = z.object({ posts: z.object({ postData: Posts }) });

const dir = await mkdtemp(join(tmpdir(), 'sizing-'));
const demoCms = await startMeasured(['demo/start.ts', '--port', '0'], {}, '1');

async function articlesOf(topic: string): Promise<string[]> {
  const response = await fetch(`${demoCms.origin}/api/post/topic/${topic}?page=1&limit=100`);
  return Topic.parse(await response.json()).posts.postData;
}

const articles = (await Promise.all(['news', 'featured', 'quickbytes'].map(articlesOf))).flat();
const random = seeded(7);
const rank = zipf(articles.length, random);
let newPages = 0;

/** Returns a page as readers ask for it: articles by Zipf’s law, home, a topic, and new searches. */
function nextPath(): string {
  const chance = random();
  if (chance < NEW_PAGES) return `/search/news/sizing%20${++newPages}`;
  if (chance < 0.15) return '/';
  if (chance < 0.25) return '/topic/news';
  return articles[rank()] ?? '/';
}

async function measureRow({ cacheMb, readsPerSecond }: (typeof ROWS)[number]): Promise<string> {
  const site = await startSite({
    env: {
      API_HOST: demoCms.origin,
      IMAGE_HOST: `${demoCms.origin}/media`,
      IP_LOOKUP_URL: `${demoCms.origin}/lookup?format=json`,
      DATA_DIR: join(dir, `${cacheMb}-${readsPerSecond}`),
      CACHE_MAX_MB: String(cacheMb),
    },
  });
  try {
    const atStart = site.memory();
    const seconds = (cacheMb * FILLING_REQUESTS_BY_MB) / FILLING_RATE;
    await sendMixedLoad(site.origin, articles, { seconds, requestsPerSecond: FILLING_RATE });
    const before = site.cpuSeconds();
    const result = await autocannon({
      url: site.origin,
      connections: CONNECTIONS,
      overallRate: readsPerSecond,
      duration: SECONDS,
      headers: { 'accept-encoding': 'br' },
      requests: [{ setupRequest: (sent: Request) => ({ ...sent, path: nextPath() }) }],
    });
    const cores = (site.cpuSeconds() - before) / result.duration;
    const failed = result.non2xx + result.errors;
    if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests failed`);
    const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
    const cells = [
      Math.round(result.requests.total / result.duration).toLocaleString('en'),
      cores.toFixed(2),
      cacheMb,
      `${megabytes(atStart)} MB`,
      `${megabytes(site.memory())} MB`,
    ];
    return `| ${cells.join(' | ')} |`;
  } finally {
    await site.stop();
  }
}

try {
  console.log('| reads/s | CPU (cores) | `CACHE_MAX_MB` | memory at the start | memory, cache full |');
  console.log('| ---: | ---: | ---: | ---: | ---: |');
  for (const row of ROWS) console.log(await measureRow(row));
} finally {
  await demoCms.stop();
  await rm(dir, { recursive: true, force: true });
}
