import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { makePicture, startImageHost } from '../../integration/images/image-host.ts';
import { allAre, loadText, underLoad } from '../load/light-load.ts';
import { milliseconds, SLACK_MS, startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

/** The address of the client that asks for too much; all others of the drill are at 127.0.0.1. */
const GREEDY = '127.0.0.2';
const PICTURES = 300;
const PICTURE_MS = 200;
const OWN_PICTURES = 5;
/** A load waits for its turn behind two of the other client's, and for its original. */
const OWN_PICTURE_MS = 5_000;
const CONNECTIONS = 64;
const REFUSED = 5_000;
const READS_A_MINUTE = '1200';

/** One client asks for what costs much or is refused, and all others go on as before. */
export async function drillOneClient(report: Report): Promise<void> {
  await manyPictures(report);
  await refusedRequests(report);
}

async function manyPictures(report: Report): Promise<void> {
  const host = await startImageHost();
  const site = await startDrillSite({ IMAGE_HOST: host.baseUrl, IMAGE_RESIZE: 'on' });
  const dispatcher = new Agent({ localAddress: GREEDY, connections: CONNECTIONS });
  try {
    const picture = await makePicture(400, 300);
    const names = Array.from({ length: PICTURES + OWN_PICTURES }, (_, index) => `/picture-${index}.png`);
    for (const name of names)
      host.serve(name, async (_request, response) => {
        await pause(PICTURE_MS);
        response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
      });
    const articles = await site.demoCms.articles();
    const warm = ['/', ...articles.slice(0, 2)];
    await site.warmUp(warm);

    /** Resolves with the status; 0 without a response, or with a 503 that does not say when to ask again. */
    const ask = async (name: string): Promise<number> => {
      try {
        const { statusCode, headers, body } = await request(
          `${site.server().origin}/media${name}?width=320`,
          {
            dispatcher,
          },
        );
        await body.dump();
        return statusCode === 503 && headers['retry-after'] === undefined ? 0 : statusCode;
      } catch {
        return 0;
      }
    };
    const own: string[] = [];
    let areOwnThere = true;
    const seen = await underLoad(site.server().origin, warm, async () => {
      const asked = Promise.all(names.slice(0, PICTURES).map(ask));
      for (const name of names.slice(PICTURES)) {
        const { status, ms } = await site.get(`/media${name}?width=320`);
        own.push(`${status} after ${milliseconds(ms)}`);
        areOwnThere &&= status === 200 && ms <= OWN_PICTURE_MS + SLACK_MS;
      }
      const statuses = await asked;
      const count = (status: number) => statuses.filter((one) => one === status).length;
      // 502: on a busy machine a connection to the host, which this process is, may take longer than its second.
      const text = `${count(200)} x 200, ${count(503)} x 503, ${count(502)} x 502, ${count(0)} without a clear response`;
      const areClear = count(200) + count(503) + count(502) === PICTURES;
      report.seen('manyPictures', 'process', text, count(200) > 0 && count(502) < count(503) && areClear);
    });
    report.seen('manyPictures', 'warm page', loadText(seen), allAre(seen, 200, SLACK_MS));
    report.seen('manyPictures', 'cold page', own.join(', '), areOwnThere);
  } finally {
    await dispatcher.destroy();
    await site.close();
    await host.close();
  }
}

async function refusedRequests(report: Report): Promise<void> {
  const site = await startDrillSite({ LOG_LEVEL: 'info', RATE_LIMIT_READ: READS_A_MINUTE });
  try {
    const warm = ['/'];
    await site.warmUp(warm);
    const { origin, log } = site.server();
    const linesBefore = log.length;
    const targets = ['OPTIONS *', 'GET /../other', 'GET /news/%00'];
    let sent = 0;
    const began = performance.now();
    const work = async () => {
      while (sent < REFUSED) {
        sent += await sendUntilClosed(
          origin,
          targets.map((target) => `${target} HTTP/1.1\r\nHost: x\r\n\r\n`),
        );
      }
    };
    const seen = await underLoad(origin, warm, work);
    const seconds = (performance.now() - began) / 1_000;
    const lines = log.length - linesBefore - seen.asked;
    // One a second for each status and route, of which there are few.
    const isQuiet = lines <= (seconds + 1) * 3 * targets.length;
    const text = `${sent} requests in ${seconds.toFixed(1)} s: ${Math.max(0, lines)} lines in the log`;
    report.seen('refusedRequests', 'process', text, isQuiet);
    report.seen('refusedRequests', 'warm page', loadText(seen), allAre(seen, 200, SLACK_MS));
    const cold = await site.get('/topic/news');
    report.seen('refusedRequests', 'cold page', `${cold.status}`, cold.status === 200);
  } finally {
    await site.close();
  }
}

/** Sends messages over and over on one connection until the server ends it; resolves to how many were sent. */
async function sendUntilClosed(origin: string, messages: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress: GREEDY });
  socket.on('error', () => undefined);
  socket.resume();
  let sent = 0;
  let isOpen = true;
  const closed = once(socket, 'close').then(() => {
    isOpen = false;
  });
  await Promise.race([once(socket, 'connect'), closed]);
  while (isOpen && sent < REFUSED) {
    for (const message of messages) socket.write(message, 'latin1');
    sent += messages.length;
    await pause(1);
  }
  socket.destroy();
  await closed;
  return sent;
}
