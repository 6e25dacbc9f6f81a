import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { openTracing } from '#server/tracing/tracing.ts';
import { startSiteUnderTest } from '../site-under-test.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

const CLIENT = 3;

let receiver: OtlpReceiver;
/** Names of the headers that the CDN was sent, by request. */
const received: string[][] = [];

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
    received.push(Object.keys(headers));
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

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  await purgeAtCdn();
});
afterAll(() => receiver.close());

function traceOf(name: string): { root: ReceivedSpan; call: ReceivedSpan } {
  const [root] = receiver.spans.filter((span) => span.name === name);
  const [call] = receiver.spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  if (!root || !call) throw new Error(`no ${name} among ${receiver.spans.map((span) => span.name)}`);
  return { root, call };
}

it('a purge at the CDN is a trace of its own, with the call and its status', () => {
  const { root, call } = traceOf('cdn purge');
  expect(root.parentSpanId ?? '').toBe('');
  expect(call).toMatchObject({
    name: 'POST',
    kind: CLIENT,
    traceId: root.traceId,
    attributes: {
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    },
  });
});

it('a CDN is sent no traceparent', () => {
  expect(received).toHaveLength(1);
  for (const headers of received) {
    expect(headers).toContain('content-type');
    expect(headers).not.toContain('traceparent');
  }
});
