import { setTimeout as pause } from 'node:timers/promises';
import { seenText, startLoad } from '../load/load-process.ts';
import { terminate } from '../processes/server-process.ts';
import { eventually, LONG_TIMEOUT, request, startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const RESTARTS = 20;
const SHORT_RESTARTS = 2;
/** Between two requests of one reader. The short drill runs beside other tests. */
const PAUSE_MS = 5;
const SHORT_PAUSE_MS = 20;
const ARRIVAL_MS = 90_000;
/** Connections in the accept queue that the system may reset when a server stops listening: too rare to fail a test run for. */
const UNACCEPTED = 2;

/** Restarts under load: the successor serves reads while its predecessor ends (`docs/decisions/0006`). */
export async function drillZeroDowntimeRestart(report: Report, short: boolean): Promise<void> {
  const site = await startDrillSite(LONG_TIMEOUT, { flags: ['--hand-over'] });
  try {
    const [article = ''] = await site.demoCms.articles();
    const paths = ['/', article, '/topic/news', '/events'];
    await site.warmUp(paths);
    const pauseMs = short ? SHORT_PAUSE_MS : PAUSE_MS;
    const orders = { origin: site.server().origin, paths, pauseMs, most: null };
    const kept = await startLoad({ ...orders, readers: 4, keepAlive: true });
    const fresh = await startLoad({ ...orders, readers: 4, keepAlive: false });
    let over = false;
    const sent: { email: string; status: number }[] = [];
    const posting = (async () => {
      while (!over) {
        const email = `handed-${sent.length}@example.com`;
        sent.push({ email, status: (await site.contact(email)).status });
        await pause(50);
      }
    })();
    for (let restart = 0; restart < (short ? SHORT_RESTARTS : RESTARTS); restart++) {
      const predecessor = site.server();
      const ops = new URL(predecessor.ops).port;
      // Both listen on one port: only its own log says that the successor is ready.
      const successor = await site.start({ ready: false, env: { OPS_PORT: ops, LOG_LEVEL: 'info' } });
      const isReady = await eventually(
        async () => successor.log.some((line) => line.includes('"msg":"ready"')),
        ARRIVAL_MS,
      );
      if (!isReady) throw new Error(`the successor is not ready:\n${successor.log.join('\n')}`);
      await terminate(predecessor);
      await eventually(async () => (await request(`${successor.ops}/outbox`)).status === 200, ARRIVAL_MS);
    }
    over = true;
    await posting;
    const seen = [await kept.stop(), await fresh.stop()];
    const failed = seen.reduce((sum, { asked, statuses }) => sum + asked - (statuses['200'] ?? 0), 0);
    report.seen(
      'handOver',
      'warm page',
      `${seen.map(seenText).join(' | ')}; ${failed} failed`,
      failed <= (short ? UNACCEPTED : 0),
    );

    const completed = sent.filter(({ status }) => status === 201 || status === 502);
    const count = async () => {
      const arrived = await site.demoCms.received('contact');
      return completed.map(({ email }) => arrived.filter((one) => one === email).length);
    };
    const all = await eventually(async () => (await count()).every((times) => times === 1), ARRIVAL_MS);
    const text = `${completed.length} of ${sent.length} acknowledged, ${(await count()).filter((times) => times !== 1).length} of them not delivered once`;
    report.seen('handOver', 'form post', text, all && completed.length > 0);
  } finally {
    await site.close();
  }
}
