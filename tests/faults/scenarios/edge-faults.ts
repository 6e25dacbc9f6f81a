import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { makePicture, sendPicture, startImageHost } from '../../integration/images/image-host.ts';
import type { FaultName } from '../fault-table.ts';
import {
  DEADLINE_MS,
  type DrillSite,
  eventually,
  LONG_TIMEOUT,
  milliseconds,
  SLACK_MS,
  startDrillSite,
} from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const IMMEDIATE_MS = 500;
const AFTERWARDS_MS = 40_000;

/** Injects faults into the purge API of the CDN, the image host and the disk of the picture cache. */
export async function drillEdgeFaults(report: Report): Promise<void> {
  await purgeApiDown(report);
  await imageHostFails(report, 'imageHostDown', (request) => void request.socket.destroy());
  await imageHostFails(report, 'imageHostHangs', () => undefined);
}

async function look(report: Report, site: DrillSite, fault: FaultName, [hot, cold]: string[]): Promise<void> {
  for (const [column, path] of [
    ['warm page', hot],
    ['cold page', cold],
  ] as const) {
    const { status, ms } = await site.get(path ?? '');
    const seen = `${status} after ${milliseconds(ms)}`;
    report.seen(fault, column, seen, status === 200 && ms < IMMEDIATE_MS + SLACK_MS);
  }
}

async function purgeApiDown(report: Report): Promise<void> {
  const purged: string[] = [];
  let isDown = true;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (isDown) return void response.writeHead(503).end();
    purged.push(body);
    response.writeHead(200).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const site = await startDrillSite({
    ...LONG_TIMEOUT,
    CDN: 'fastly',
    CDN_PURGE_URL: `http://127.0.0.1:${port}`,
    CDN_TOKEN: 'a-token',
    CDN_ZONE: 'a-service',
  });
  try {
    const articles = await site.demoCms.articles();
    await site.warmUp(articles.slice(0, 1));
    const tags = Array.from({ length: 300 }, (_, index) => `post:${100_000 + index}`);
    await fetch(`${site.server().ops}/cache/purge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tags }),
    });
    await look(report, site, 'purgeApiDown', articles);
    isDown = false;
    const all = await eventually(
      async () => tags.every((tag) => purged.join().includes(`"${tag}"`)),
      AFTERWARDS_MS,
    );
    report.seen('purgeApiDown', 'process', `${purged.length} calls when it was back`, all);
  } finally {
    await site.close();
    server.closeAllConnections();
    server.close();
  }
}

async function imageHostFails(
  report: Report,
  fault: Extract<FaultName, 'imageHostDown' | 'imageHostHangs'>,
  fail: RequestListener,
): Promise<void> {
  const host = await startImageHost();
  const site = await startDrillSite({ IMAGE_HOST: host.baseUrl, IMAGE_RESIZE: 'on' });
  try {
    const articles = await site.demoCms.articles();
    await site.warmUp(articles.slice(0, 1));
    const picture = await makePicture(400, 300);
    host.serve('/stored.png', sendPicture(picture));
    const stored = '/media/stored.png?width=320';
    await site.get(stored);
    host.serve('/stored.png', fail);
    // Fewer than one client may have at a time, of which two run.
    const failing = Array.from({ length: 10 }, (_, index) => `/failing-${index}.png`);
    for (const path of failing) host.serve(path, fail);
    const pictures = Promise.all(failing.map((path) => site.get(`/media${path}?width=320`)));
    await look(report, site, fault, articles);
    const again = await site.get(stored);
    const responses = await pictures;
    const slowest = Math.max(...responses.map(({ ms }) => ms));
    const areRight = responses.every(
      ({ status, headers }) => status === 502 && headers.get('cache-control') === 'no-store',
    );
    // Two at a time, each until its deadline.
    const isInTime = slowest < (failing.length / 2) * DEADLINE_MS + SLACK_MS;
    const seen = `${responses.map(({ status }) => status).join(' ')}, the slowest after ${milliseconds(slowest)}`;
    report.seen(
      fault,
      'process',
      `stored: ${again.status}; others: ${seen}`,
      again.status === 200 && areRight && isInTime,
    );
    for (const path of failing) host.serve(path, sendPicture(picture));
    const isBack = await eventually(
      async () => (await site.get(`/media${failing[0]}?width=320`)).status === 200,
      AFTERWARDS_MS,
    );
    report.seen(fault, 'process', isBack ? 'back' : 'not back', isBack);
  } finally {
    await site.close();
    await host.close();
  }
}
