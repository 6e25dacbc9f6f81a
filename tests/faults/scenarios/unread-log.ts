import { setTimeout as pause } from 'node:timers/promises';
import { allAre, loadText, underLoad } from '../load/light-load.ts';
import { startLoad } from '../load/load-process.ts';
import { terminate } from '../processes/server-process.ts';
import { eventually, SLACK_MS, startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

/** Requests with long log lines: together more than the log's buffer holds. */
const REQUESTS = 15_000;
const LONG_PATH = `/api/${'long'.repeat(90)}`;
const MOST_GROWTH_MB = 80;
const ARRIVAL_MS = 60_000;
const LONGEST_MS = 120_000;

/** Stops reading the server's log, as behind a full disk, and resumes later. */
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
    // A server that blocks on its log would never finish the response.
    const seen = await underLoad(origin, warm, () => Promise.race([load.ended(), pause(LONGEST_MS)]));
    const grown = Math.round((server.memory() - before) / 1024 / 1024);
    report.seen('logUnread', 'warm page', loadText(seen), allAre(seen, 200, SLACK_MS));

    server.readLog(true);
    const says = () => server.log.some((line) => line.includes('log lines were dropped'));
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
