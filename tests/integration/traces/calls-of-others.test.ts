import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTracing } from '#server/bootstrap/tracing.ts';
import { readConfig } from '#server/config.ts';
import { sendToIndexNow } from '#server/feeds/index-now.ts';
import { startSiteUnderTest } from '../site-under-test.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

const CLIENT = 3;
const ANNOUNCEMENT = { host: 'www.example.com', key: 'k', keyLocation: 'https://www.example.com/k.txt' };

let receiver: OtlpReceiver;
/** What the CDN and the search engine were sent. */
const received: { to: string; headers: string[] }[] = [];
let rejection: unknown;

const newTracing = () =>
  openTracing(
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    }).tracing,
  );

/** Purges everything at a CDN, and closes the site, which sends what it has. */
async function purgeAtCdn(): Promise<void> {
  const { tracing } = await newTracing();
  const purgeApi = createServer(({ headers }, response) => {
    received.push({ to: 'cdn', headers: Object.keys(headers) });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(purgeApi, 'listening');
  const { port } = purgeApi.address() as AddressInfo;
  const cdn = { CDN: 'fastly', CDN_PURGE_URL: `http://127.0.0.1:${port}`, CDN_TOKEN: 't', CDN_ZONE: 'z' };
  const site = await startSiteUnderTest(cdn, { tracing });
  const purged = once(purgeApi, 'request');
  await fetch(`${site.ops}/cache/purge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ all: true }),
  });
  await purged;
  await site.close();
  purgeApi.closeAllConnections();
  purgeApi.close();
}

/** Submits to a search engine that has an error. */
async function submitToIndexNow(): Promise<void> {
  const { tracing } = await newTracing();
  const before = getGlobalDispatcher();
  const searchEngine = new MockAgent();
  searchEngine.disableNetConnect();
  setGlobalDispatcher(searchEngine);
  searchEngine
    .get('https://api.indexnow.org')
    .intercept({ method: 'POST', path: '/indexnow' })
    .reply(503, ({ headers }) => {
      received.push({ to: 'indexnow', headers: Object.keys({ ...headers }) });
      return '';
    });
  rejection = await sendToIndexNow({ ...ANNOUNCEMENT, urlList: [] }, tracing).catch(
    (error: unknown) => error,
  );
  setGlobalDispatcher(before);
  await tracing.close(30_000);
}

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  await purgeAtCdn();
  await submitToIndexNow();
});
afterAll(() => receiver.close());

function traceOf(name: string): { root: ReceivedSpan; call: ReceivedSpan } {
  const [root] = receiver.spans.filter((span) => span.name === name);
  const [call] = receiver.spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  if (!root || !call) throw new Error(`no ${name} among ${receiver.spans.map((span) => span.name)}`);
  return { root, call };
}

it.each([
  { name: 'cdn purge', host: '127.0.0.1', status: 200 },
  { name: 'indexnow submit', host: 'api.indexnow.org', status: 503 },
])('$name is a trace of its own, with the call and its status', ({ name, host, status }) => {
  const { root, call } = traceOf(name);
  expect(root.parentSpanId ?? '').toBe('');
  expect(call).toMatchObject({
    name: 'POST',
    kind: CLIENT,
    traceId: root.traceId,
    attributes: {
      'http.request.method': 'POST',
      'server.address': host,
      'http.response.status_code': status,
    },
  });
});

it('neither a CDN nor a search engine is sent a traceparent', () => {
  expect(received.map(({ to }) => to)).toEqual(['cdn', 'indexnow']);
  for (const { headers } of received) {
    expect(headers).toContain('content-type');
    expect(headers).not.toContain('traceparent');
  }
});

it('a submission that is refused rejects with its status', () => {
  expect(rejection).toMatchObject({ message: 'IndexNow responded with 503' });
});
