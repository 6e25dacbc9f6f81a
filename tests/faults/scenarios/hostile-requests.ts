import { z } from 'zod';
import { rawRequest, statusesOf } from '../../integration/http/raw-request.ts';
import { allAre, loadText, underLoad } from '../load/light-load.ts';
import { type DrillSite, LONG_TIMEOUT, SLACK_MS, startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const ROUNDS = 20;
const BODY = '{"email":"smuggled@example.com"}';
const HOST = 'Host: localhost\r\n';
/** Ends the connection, so that one that is taken is soon noticed. */
const NEXT = `POST /api/subscriptions HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

/** Returns raw hostile requests. `ops`: `address:port` of the operators' listener, which no reader's request may reach. */
const messages = (ops: string): string[] => [
  ...[
    `http://${ops}/media/../metrics`,
    `http://${ops}/metrics#`,
    '/../metrics',
    '/assets/..%2f..%2fpackage.json',
    '/media/%252e%252e/metrics',
    '/\\..\\metrics',
    '*',
    '/news/%00',
  ].map((target) => `GET ${target} HTTP/1.1\r\n${HOST}\r\n`),
  ...['gzip', 'identity', 'chunked, identity', 'xchunked', 'gzip, chunked'].flatMap((coding) =>
    ['GET /', 'GET /?by=fastify', 'POST /api/subscriptions'].map(
      (line) =>
        `${line} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n${CHUNKS}`,
    ),
  ),
  `POST /api/subscriptions HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 0\r\n\r\n${BODY}`,
  `POST /api/subscriptions HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
  `GET / HTTP/1.1\n${HOST}\n`,
  `GET / HTTP/1.1\r\n${HOST}X-A: 1\r\n folded\r\n\r\n`,
  `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`,
  'GET / HTTP/1.1\r\n\r\n',
  `FOO / HTTP/1.1\r\n${HOST}\r\n`,
  `CONNECT ${ops} HTTP/1.1\r\n${HOST}\r\n`,
];

const Cache = z.object({ pages: z.object({ entries: z.number() }) });

/** What no parser of HTTP/1.1 takes. */
const UNPARSABLE = 'GARBAGE\r\n\r\n';
const SLOW_MS = 500;

/** Sends a request that cannot be parsed behind one for a cached page and one for a page that is still being made. */
async function drillPipelining(report: Report, { demoCms, server }: DrillSite): Promise<void> {
  await demoCms.faults([{ path: '/api/post/topic/*', kind: 'latency', ms: SLOW_MS }]);
  const requests = ['/', '/topic/podcasts', '/'].map((path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`);
  const response = await rawRequest(server().origin, requests.join('') + UNPARSABLE);
  const statuses = statusesOf(response);
  const isWhole = response.match(/<\/html>/g)?.length === requests.length;
  report.seen(
    'pipelined',
    'process',
    `${statuses.join(', ')}; ${isWhole ? 'whole' : 'cut'} pages`,
    statuses.join() === '200,200,200,400' && isWhole,
  );
  await demoCms.faults([]);
}

/** Sends what HTTP does not allow on every kind of route, each time followed by a form post on the same connection. */
export async function drillHostileRequests(report: Report): Promise<void> {
  const site = await startDrillSite(LONG_TIMEOUT);
  try {
    const { origin, ops } = site.server();
    const warm = ['/', '/topic/news'];
    await site.warmUp(warm);
    const entries = async () => Cache.parse(await (await fetch(`${ops}/cache`)).json()).pages.entries;
    const before = await entries();
    await site.demoCms.forgetCalls();
    const all = messages(new URL(ops).host);
    const statuses = new Set<number>();
    let unclear = 0;
    const seen = await underLoad(origin, warm, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const message of all) {
          const response = await rawRequest(origin, message + NEXT);
          const [status = 0, ...more] = statusesOf(response);
          statuses.add(status);
          const isClear = more.length === 0 && status >= 400 && status < 500;
          if (!isClear || /\bat .+:\d+:\d+|# HELP/.test(response)) unclear++;
        }
      }
    });
    report.seen('hostileRequests', 'warm page', loadText(seen), allAre(seen, 200, SLACK_MS));
    const added = (await entries()) - before;
    const posts = Object.keys(await site.demoCms.calls()).filter((call) =>
      call.startsWith('POST /api/subscribe'),
    );
    report.seen(
      'hostileRequests',
      'form post',
      posts.length === 0 ? 'none was taken' : 'one behind a refused request was taken',
      posts.length === 0,
    );
    report.seen(
      'hostileRequests',
      'process',
      `${all.length * ROUNDS} messages: ${[...statuses].sort().join(', ')}; ${unclear} unclear; ${added} cache entries`,
      unclear === 0 && added === 0,
    );
    await drillPipelining(report, site);
  } finally {
    await site.close();
  }
}
