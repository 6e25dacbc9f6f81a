import { setTimeout as pause } from 'node:timers/promises';
import { allAre, loadText, underLoad } from './light-load.ts';
import { startLoad } from './load-process.ts';
import type { Report } from './report.ts';
import { terminate } from './server-process.ts';
import { eventually, SLACK_MS, startDrillSite } from './site-process.ts';

/** Requests whose lines are longest: together more than may wait in memory. */
const REQUESTS = 15_000;
const LONG_PATH = `/api/${'long'.repeat(90)}`;
const MOST_GROWTH_MB = 80;
const ARRIVAL_MS = 10_000;
const LONGEST_MS = 30_000;

/** Nobody takes what the server logs, as where a full disk is behind it, and then somebody does again. */
export async function drillUnreadLog(report: Report): Promise<void> {
  const site = await startDrillSite({ LOG_LEVEL: 'info' });
  try {
    const server = site.server();
    const { origin } = server;
    const warm = ['/', '/topic/news'];
    await site.warmUp(warm);
    const before = server.memory();
    server.readLog(false);
    const flood = { origin, paths: [LONG_PATH], readers: 16, pauseMs: 0, keepAlive: true, most: REQUESTS };
    const load = await startLoad(flood);
    // A server that waits for whoever reads its log would never end it.
    const seen = await underLoad(origin, warm, () => Promise.race([load.ended(), pause(LONGEST_MS)]));
    const grown = Math.round((server.memory() - before) / 1024 / 1024);
    report.seen('logUnread', 'warm page', loadText(seen), allAre(seen, 200, SLACK_MS));

    server.readLog(true);
    const says = () => server.log.some((line) => line.includes('lines of the log were dropped'));
    const told = await eventually(async () => says(), ARRIVAL_MS);
    const { code } = await terminate(server);
    await site.start();
    report.seen(
      'logUnread',
      'process',
      `${grown} MiB more; ${told ? 'says what was dropped' : 'says nothing of what was dropped'}; exit ${code}`,
      grown < MOST_GROWTH_MB && told && code === 0,
    );
  } finally {
    await site.close();
  }
}
