import { once } from 'node:events';
import { createServer } from 'node:net';
import { startRedis } from '../../redis/redis-server.ts';
import type { FaultName } from '../fault-table.ts';
import {
  type DrillSite,
  eventually,
  LONG_TIMEOUT,
  SLACK_MS,
  startDrillSite,
} from '../processes/site-process.ts';
import type { Report } from '../report.ts';

type RedisFault = Extract<FaultName, 'redisDown' | 'redisHangs' | 'redisLies'>;

/** Upper bound of a page whose upstream responds without delay. */
const IMMEDIATE_MS = 500;
const UP_MS = 20_000;

/** Tests a Redis that is away, hangs, or responds with nonsense. */
export async function drillRedisFaults(report: Report): Promise<void> {
  await withRedis(report, 'redisDown', (redis) => redis.stop());
  await withRedis(report, 'redisHangs', async (redis) => redis.hang());
  await lies(report);
}

/** The fault begins while the server is connected. */
async function withRedis(
  report: Report,
  fault: RedisFault,
  spoil: (redis: Awaited<ReturnType<typeof startRedis>>) => Promise<void>,
): Promise<void> {
  const redis = await startRedis();
  const site = await startDrillSite({ ...LONG_TIMEOUT, REDIS_URL: redis.url });
  try {
    const [hot = '', cold = ''] = await site.demoCms.articles();
    await site.warmUp([hot]);
    await eventually(async () => (await redisUp(site)) === 1, UP_MS);
    await spoil(redis);
    await look(report, site, fault, hot, cold);
  } finally {
    await site.close();
    await redis.stop();
  }
}

/** From the start on, every reply is nonsense. */
async function lies(report: Report): Promise<void> {
  const liar = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(':42\r\n$7\r\nnothing\r\n*-9\r\nwhat?\r\n'));
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  const address = liar.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const site = await startDrillSite({ ...LONG_TIMEOUT, REDIS_URL: `redis://127.0.0.1:${port}` });
  try {
    const [hot = '', cold = ''] = await site.demoCms.articles();
    await site.warmUp([hot]);
    await look(report, site, 'redisLies', hot, cold);
  } finally {
    await site.close();
    liar.close();
  }
}

async function look(
  report: Report,
  site: DrillSite,
  fault: RedisFault,
  hot: string,
  cold: string,
): Promise<void> {
  const warm = await site.get(hot);
  const text = `${warm.status} after ${Math.round(warm.ms)} ms`;
  report.seen(fault, 'warm page', text, warm.status === 200 && warm.ms < IMMEDIATE_MS + SLACK_MS);
  const first = await site.get(cold);
  const seen = `${first.status} after ${Math.round(first.ms)} ms`;
  report.seen(fault, 'cold page', seen, first.status === 200 && first.ms < IMMEDIATE_MS + SLACK_MS);
  const { status } = await site.contact(`${fault}@example.com`);
  const arrived = (await site.demoCms.received('contact')).filter(
    (email) => email === `${fault}@example.com`,
  );
  report.seen(
    fault,
    'form post',
    `${status}, arrived ${arrived.length} times`,
    status === 201 && arrived.length === 1,
  );
}

async function redisUp(site: DrillSite): Promise<number> {
  const metrics = await (await fetch(`${site.server().ops}/metrics`)).text();
  return Number(/^redis_up (\d)/m.exec(metrics)?.[1] ?? 0);
}
