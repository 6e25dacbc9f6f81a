import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { startRedis } from '../../redis/redis-server.ts';
import { allAre, loadText, underLoad } from '../load/light-load.ts';
import { startServer, terminate } from '../processes/server-process.ts';
import {
  DEADLINE_MS,
  type DrillSite,
  eventually,
  LONG_TIMEOUT,
  milliseconds,
  SHORT_AGES,
  SLACK_MS,
  startDrillSite,
  type TimedResponse,
} from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const ROW_MS = 4_000;
/** Upper bound of a stale response: the wait for a refresh, and slack. */
const IMMEDIATE_MS = 250 + SLACK_MS / 2;
const SEARCHING_MS = 20_000;

const Topic = z.object({ topic: z.object({ entries: z.number() }) });

/** Tests faults that lie between the upstream, the caches and the pages. */
export async function drillCacheFaults(report: Report, short: boolean): Promise<void> {
  if (short) return;
  const site = await startDrillSite(SHORT_AGES);
  try {
    const articles = await site.demoCms.articles();
    await proxyNotFound(report, site, articles.splice(0, 2));
    await lostContent(report, site, articles.splice(0, 4));
    await searchTerm(report, site, articles.splice(0, 20));
    await failingPage(report, site);
    await clientsLeave(report, site);
  } finally {
    await site.close();
  }
  await slowSection(report);
  await shutdownHangs(report);
  await cacheTooLarge(report);
  await largeValue(report, {});
  const redis = await startRedis();
  await largeValue(report, { REDIS_URL: redis.url });
  await redis.stop();
}

async function proxyNotFound(report: Report, site: DrillSite, articles: string[]): Promise<void> {
  const [hot = '', cold = ''] = articles;
  const warm = ['/', hot, '/topic/news'];
  await site.warmUp(warm);
  await site.demoCms.faults([{ path: '/api/*', kind: 'html', status: 404 }]);
  const seen = await underLoad(site.server().origin, warm, () => pause(ROW_MS));
  report.seen('proxyNotFound', 'warm page', loadText(seen), allAre(seen, 200, IMMEDIATE_MS));
  const { status, headers } = await site.get(cold);
  const isUnavailable = status === 503 && headers.get('cache-control') === 'no-store';
  report.seen('proxyNotFound', 'cold page', String(status), isUnavailable);
  await site.demoCms.faults([]);
  // The circuit breaker closes.
  await site.warmUp([cold]);
}

async function lostContent(report: Report, site: DrillSite, articles: string[]): Promise<void> {
  const warm = ['/', ...articles, '/topic/news', '/topic/podcasts'];
  await site.warmUp(warm);
  const before = linksOf((await site.get('/')).text);
  const list = { posts: { postData: [], pagination: { page: 1, limit: 10, totalItems: 0, totalPages: 0 } } };
  await site.demoCms.faults([
    { path: '/api/post/home*', kind: 'wrong-json', body: [] },
    { path: '/api/post/topic/*', kind: 'wrong-json', body: list },
    { path: '/api/post/postdetails/*', kind: 'status', status: 404 },
  ]);
  await pause(3_000);
  const seen = await underLoad(site.server().origin, warm, () => pause(ROW_MS));
  const links = linksOf((await site.get('/')).text);
  const lines = site.server().log.filter((line) => line.includes('missing much of its content'));
  report.seen(
    'lostContent',
    'warm page',
    `${loadText(seen)}; ${links} of ${before} links on the home page; ${lines.length} lines`,
    allAre(seen, 200, IMMEDIATE_MS) && links === before && lines.length === 1,
  );
  await site.demoCms.faults([]);
  await site.warmUp(warm);
}

/** Counts the links of a page. Which of them comes first may change with the views that a drill counts. */
function linksOf(text: string): number {
  return text.match(/<a /g)?.length ?? 0;
}

async function searchTerm(report: Report, site: DrillSite, cold: string[]): Promise<void> {
  const warm = ['/', '/topic/news'];
  await site.warmUp(warm);
  await site.demoCms.faults([{ path: '/api/post/search/*', kind: 'status', status: 500 }]);
  let searches = 0;
  const coldStatuses: number[] = [];
  const seen = await underLoad(site.server().origin, warm, async () => {
    const end = performance.now() + SEARCHING_MS;
    while (performance.now() < end) {
      await site.get(`/search/all/term-${searches++ % 20}`);
      if (searches % 10 === 0 && cold.length > 0)
        coldStatuses.push((await site.get(cold.pop() ?? '')).status);
    }
  });
  report.seen(
    'searchTerm',
    'warm page',
    `${loadText(seen)}; ${searches} searches`,
    allAre(seen, 200, DEADLINE_MS + SLACK_MS),
  );
  const isUnharmed = coldStatuses.length > 3 && coldStatuses.every((status) => status === 200);
  report.seen('searchTerm', 'cold page', coldStatuses.join(', '), isUnharmed);
  await site.demoCms.faults([]);
}

async function failingPage(report: Report, site: DrillSite): Promise<void> {
  await site.demoCms.faults([{ path: '/api/post/topic/*', kind: 'status', status: 503 }]);
  const renders = () => metric(site, /^render_duration_seconds_count (\d+)$/m);
  const before = await renders();
  const seen = await underLoad(site.server().origin, ['/topic/never-asked-for'], () => pause(ROW_MS));
  const rendered = (await renders()) - before;
  report.seen(
    'failingPage',
    'cold page',
    `${loadText(seen)}; ${rendered} renders in ${ROW_MS / 1_000} s`,
    seen.statuses[503] === seen.asked && rendered <= ROW_MS / 1_000 + 2,
  );
  await site.demoCms.faults([]);
}

async function slowSection(report: Report): Promise<void> {
  const site = await startDrillSite({ ...SHORT_AGES, UPSTREAM_TIMEOUT_MS: '3000' });
  try {
    await site.demoCms.faults([{ path: '/api/advertisement/get_active', kind: 'hang' }]);
    const pages = ['/', '/topic/news', '/events/'];
    const cold: number[] = [];
    for (const page of pages) cold.push((await site.get(page)).ms);
    const inTime = cold.every((ms) => ms < 1_000 + SLACK_MS);
    report.seen('slowSection', 'cold page', cold.map((ms) => `${Math.round(ms)} ms`).join(', '), inTime);
    const seen = await underLoad(site.server().origin, ['/', '/topic/news'], () => pause(3 * ROW_MS));
    report.seen('slowSection', 'warm page', loadText(seen), allAre(seen, 200, IMMEDIATE_MS));
  } finally {
    await site.close();
  }
}

/** Returns the number of a metric's line; 0 where there is none. */
async function metric(site: DrillSite, line: RegExp): Promise<number> {
  const text = await (await fetch(`${site.server().ops}/metrics`)).text();
  return Number(line.exec(text)?.[1] ?? 0);
}

async function clientsLeave(report: Report, site: DrillSite): Promise<void> {
  await site.demoCms.faults([{ path: '/api/post/topic/*', kind: 'hang' }]);
  const leavers = Array.from({ length: 20 }, (_, index) =>
    fetch(`${site.server().origin}/topic/left-${index}`, { signal: AbortSignal.timeout(300) }).catch(
      () => null,
    ),
  );
  await Promise.all(leavers);
  const left = () =>
    metric(site, /^http_requests_total\{route="\/topic\/:category",method="GET",status="499"\} (\d+)$/m);
  const isCounted = await eventually(async () => (await left()) === leavers.length, 10_000);
  report.seen('clientsLeave', 'process', `${await left()} of ${leavers.length} counted`, isCounted);
  await site.demoCms.faults([]);
}

async function shutdownHangs(report: Report): Promise<void> {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const site = await startDrillSite({
    ...SHORT_AGES,
    CDN: 'varnish',
    CDN_PURGE_URL: `http://127.0.0.1:${port}`,
    SHUTDOWN_GRACE_MS: '6000',
  });
  try {
    await site.warmUp(['/', '/topic/news']);
    await fetch(`${site.server().ops}/cache/purge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tags: ['ads'] }),
    });
    const began = performance.now();
    site.server().kill('SIGTERM');
    const code = await site.server().ended;
    const took = performance.now() - began;
    const isKept = (await stat(join(site.dir, 'content-cache.snapshot'))).mtimeMs > Date.now() - took - 1_000;
    report.seen(
      'shutdownHangs',
      'process',
      `exit ${code} after ${Math.round(took)} ms; the snapshot is new: ${isKept}`,
      code === 0 && took < 6_000 + SLACK_MS && isKept,
    );
  } finally {
    await site.close();
    silent.close();
    silent.closeAllConnections();
  }
}

async function cacheTooLarge(report: Report): Promise<void> {
  const server = await startServer({ env: { CACHE_MAX_MB: '65536' }, ready: false });
  const code = await server.ended;
  const isOneLine = server.log.length === 1 && /^CACHE_MAX_MB: .* at most \d+/.test(server.log.join());
  report.seen('cacheTooLarge', 'process', `exit ${code}: ${server.log.join(' ')}`, code === 1 && isOneLine);
}

/** Asks for a topic whose thousand posts are more than the data's share of the smallest cache. */
async function largeValue(report: Report, env: Record<string, string>): Promise<void> {
  const site = await startDrillSite({ ...LONG_TIMEOUT, CACHE_MAX_MB: '8', ...env });
  const postData = Array.from({ length: 1_000 }, (_, id) => ({
    id,
    post_title: `Post ${id} ${'of many words '.repeat(180)}`,
    cat_slug: 'large',
    post_name: `post-${id}`,
  }));
  const pagination = { page: 1, limit: 10, totalItems: 1_000, totalPages: 100 };
  const large = JSON.stringify({ posts: { postData, pagination } });
  let calls = 0;
  const upstream = createServer(async ({ url = '' }, response) => {
    const isLarge = url.startsWith('/api/post/topic/large');
    if (isLarge) calls++;
    const body = isLarge ? large : await (await fetch(site.demoCms.origin + url)).text();
    response.setHeader('content-type', 'application/json').end(body);
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const address = upstream.address();
  const port = typeof address === 'object' ? address?.port : 0;
  try {
    await terminate(site.server());
    await site.start({ env: { API_HOST: `http://127.0.0.1:${port}` } });
    const seen: TimedResponse[] = [];
    for (let asked = 0; asked < 3; asked++) seen.push(await site.get('/topic/large'));
    const { topic } = Topic.parse(await (await fetch(`${site.server().ops}/cache`)).json());
    const text = seen.map(({ status, ms }) => `${status} in ${milliseconds(ms)}`).join(', ');
    report.seen(
      'largeValue',
      'cold page',
      `${text}; ${calls} calls; ${topic.entries} entries`,
      seen.every(({ status, text: page }) => status === 200 && page.includes('Post 999')) &&
        calls >= 1 &&
        calls <= seen.length &&
        topic.entries === 0,
    );
  } finally {
    await site.close();
    upstream.close();
    upstream.closeAllConnections();
  }
}
