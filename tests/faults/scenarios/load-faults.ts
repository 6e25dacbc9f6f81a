import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type LoadProcessSeen, seenText, startLoad } from '../load/load-process.ts';
import { ages, eventually, startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const MIB = 1024 * 1024;
const BASELINE_MS = 10_000;
const DISTINCT_URLS = 100_000;
/** Bound of the flood, which would take a slow machine a quarter of an hour. */
const FLOOD_MS = 180_000;
const FLOOD_READERS = 32;
const SLOW_SOCKETS = 5_000;
const DRIP_MS = 2_000;
/** The server's headers timeout is ten seconds. */
const SLOW_MS = 20_000;
const STALE_KEYS = 2_000;
/** `CACHE_MAX_MB` of this drill, and memory that the process may use besides. */
const CACHE_MB = 32;
const MOST_MEMORY = 640 * MIB;
/** Smallest p99 that a ratio is computed from: less is noise on a shared machine. */
const LEAST_BASELINE_MS = 5;

const Counts = z.object({
  refreshes: z.number(),
  refreshSuccesses: z.number(),
  refreshErrors: z.number(),
});

/** Tests many distinct URLs, slow sockets, and thousands of stale keys. */
export async function drillLoadFaults(report: Report, short: boolean): Promise<void> {
  if (short) return;
  await floods(report);
  await comesBack(report);
}

async function floods(report: Report): Promise<void> {
  const site = await startDrillSite({ CACHE_MAX_MB: String(CACHE_MB) });
  try {
    const [article = ''] = await site.demoCms.articles();
    const hot = ['/', article, '/topic/news', '/events'];
    await site.warmUp(hot);
    const { origin } = site.server();
    const readers = { origin, paths: hot, readers: 8, pauseMs: 4, keepAlive: true, most: null };
    const whole = await startLoad(readers);
    await pause(BASELINE_MS);
    const baseline = await whole.stop();

    const duringFlood = await startLoad(readers);
    const flood = await startLoad({
      origin,
      paths: ['/search/all/term-#', '/news/there-is-no-#', '/topic/news?page=#', '/tag/none-#'],
      readers: FLOOD_READERS,
      pauseMs: 0,
      keepAlive: true,
      most: DISTINCT_URLS,
    });
    flood.yields();
    site.demoCms.yields();
    await Promise.race([flood.ended(), pause(FLOOD_MS, undefined, { ref: false })]);
    const flooded = await flood.stop();
    const seen = await duringFlood.stop();
    report.note(`the flood of ${flooded.asked} of ${DISTINCT_URLS} addresses saw ${seenText(flooded)}`);
    reportRatio(report, 'manyUrls', baseline, seen, site.server().memory());

    const sockets = openSlowSockets(Number(new URL(origin).port));
    await pause(1_000);
    const duringSlow = await startLoad(readers);
    await pause(SLOW_MS);
    const slowSeen = await duringSlow.stop();
    const open = () => sockets.filter(({ destroyed }) => !destroyed).length;
    // Connections from the accept queue began later.
    const allClosed = await eventually(async () => open() === 0, SLOW_MS);
    reportRatio(report, 'slowSockets', baseline, slowSeen, site.server().memory());
    const closed = `${SLOW_SOCKETS - open()} of ${SLOW_SOCKETS} are closed after ${(2 * SLOW_MS) / 1000} s`;
    report.seen('slowSockets', 'warm page', closed, allClosed);
    for (const socket of sockets) socket.destroy();
  } finally {
    await site.close();
  }
}

function reportRatio(
  report: Report,
  name: 'manyUrls' | 'slowSockets',
  baseline: LoadProcessSeen,
  seen: LoadProcessSeen,
  memory: number,
): void {
  const ratio = seen.p99Ms / Math.max(baseline.p99Ms, LEAST_BASELINE_MS);
  const all200 = seen.statuses['200'] === seen.asked;
  const text =
    `p99 ${seen.p99Ms.toFixed(1)} ms, baseline ${baseline.p99Ms.toFixed(1)} ms: ratio ${ratio.toFixed(1)}; ` +
    `median ${seen.medianMs.toFixed(1)} ms, baseline ${baseline.medianMs.toFixed(1)} ms; ` +
    `${seen.asked - (seen.statuses['200'] ?? 0)} not 200; ${Math.round(memory / MIB)} MiB`;
  report.seen(name, 'warm page', text, all200 && memory < MOST_MEMORY);
}

/** Opens connections that send a byte of their request every two seconds. */
function openSlowSockets(port: number): Socket[] {
  return Array.from({ length: SLOW_SOCKETS }, (_, index) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const text = 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ';
    let at = 0;
    const sendByte = () => {
      socket.write(text[at++] ?? 'x');
      drip = setTimeout(sendByte, DRIP_MS);
    };
    let drip = setTimeout(sendByte, (DRIP_MS * index) / SLOW_SOCKETS);
    socket.once('close', () => clearTimeout(drip));
    return socket;
  });
}

/** The upstream is slow after its recovery, so that refreshes queue up. */
async function comesBack(report: Report): Promise<void> {
  const site = await startDrillSite({
    ...ages({ ttl: 1, swr: 600, sie: 86_400 }),
    UPSTREAM_TIMEOUT_MS: '3000',
  });
  try {
    const paths = Array.from({ length: STALE_KEYS }, (_, index) => `/search/all/stale-${index}`);
    await inParallel(paths, async (path) => void (await site.get(path)));
    await site.demoCms.leave();
    await pause(4_000);
    await site.demoCms.comeBack();
    await site.demoCms.faults([{ path: '/api/*', kind: 'latency', ms: 300 }]);
    await pause(6_000);
    let most = 0;
    let over = false;
    const watching = (async () => {
      while (!over) {
        most = Math.max(most, await runningRefreshes(site.server().ops));
        await pause(20);
      }
    })();
    let failed = 0;
    await inParallel(paths, async (path) => {
      if ((await site.get(path)).status !== 200) failed++;
    });
    await pause(1_000);
    over = true;
    await watching;
    const ok = most <= 64 && most > 0 && failed === 0;
    const text = `${most} refreshes at once at most; ${failed} of ${paths.length} reads failed`;
    report.seen('comesBack', 'warm page', text, ok);
  } finally {
    await site.close();
  }
}

/** Resolves with the refreshes that were started and have not ended. */
async function runningRefreshes(ops: string): Promise<number> {
  const { search } = z.object({ search: Counts }).parse(await (await fetch(`${ops}/cache`)).json());
  return search.refreshes - search.refreshSuccesses - search.refreshErrors;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
