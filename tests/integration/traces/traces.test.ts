import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { buildDemoCms } from '#demo/demo-cms.ts';
import { readConfig } from '#server/config/config.ts';
import { openTracing } from '#server/tracing/tracing.ts';
import { createLogLines } from '../http/log-lines.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

const CONTACT = {
  firstName: 'Ada',
  lastName: 'Quill',
  email: 'ada@example.com',
  phone: '+1 202-555-0142',
  message: 'A secret message',
  optIn: true,
};
/** A trace that a proxy began, by its sampled and its unsampled half. */
const SAMPLED = { id: 'a'.repeat(32), parent: 'b'.repeat(16) };
const UNSAMPLED = { id: 'c'.repeat(32), parent: 'd'.repeat(16) };
const INCOMING = {
  cold: `00-${SAMPLED.id}-${SAMPLED.parent}-01`,
  unsampled: `00-${UNSAMPLED.id}-${UNSAMPLED.parent}-00`,
};
const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

const Line = z.object({ msg: z.string(), trace_id: z.string().optional(), span_id: z.string().optional() });
const Outbox = z.object({ messages: z.array(z.object({ id: z.string(), kind: z.string() })) });

let receiver: OtlpReceiver;
const demoCms = buildDemoCms({ dataDir: null, faults: true });
let site: SiteUnderTest;
/** Calls of the upstream with their `traceparent`. */
const upstreamCalls: { call: string; traceparent: unknown }[] = [];
let article: string;
let lines: z.infer<typeof Line>[] = [];
/** Spans of one request, from the root down. */
const traces: Record<'cold' | 'unsampled' | 'warm' | 'waiting' | 'form' | 'api', ReceivedSpan[]> = {
  cold: [],
  unsampled: [],
  warm: [],
  waiting: [],
  form: [],
  api: [],
};
/** Spans of requests without a traceparent, which the sampler leaves out. */
let others: ReceivedSpan[] = [];

const open = (path: string, traceparent = '') =>
  request(site.origin).get(path).set('traceparent', traceparent);
/** A sampled trace of its own for a step. */
const step = (digit: string) => ({
  id: digit.repeat(32),
  header: `00-${digit.repeat(32)}-${'9'.repeat(16)}-01`,
});
const WARM = step('1');
const LEADER = step('2');
const FOLLOWER = step('3');
const FORM = step('4');
const API = step('5');

/** Runs all requests, stops the site, which sends what it has, and sorts the spans by trace. */
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  // Not a hook: those that a fault refuses count as well.
  demoCms.server.on('request', ({ method, url, headers }) => {
    upstreamCalls.push({ call: `${method} ${url}`, traceparent: headers['traceparent'] });
  });
  demoCms.addHook('preHandler', async ({ url }) => {
    if (!url.startsWith('/api/post/tag/')) return;
    isHeld.resolve();
    await held.promise;
  });
  const origin = await demoCms.listen({ port: 0, host: '127.0.0.1' });
  const tracing = await openTracing(
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'meridian-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    }).tracing,
  );
  const log = createLogLines('info', tracing.logFields ?? undefined);
  site = await startSiteUnderTest({}, { tracing, logger: log.logger, demoCms: origin });

  const Home = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })) });
  const [post] = Home.parse((await open('/api/home')).body).top;
  article = `/${post?.category}/${post?.slug}`;
  upstreamCalls.length = 0;
  await open(article, INCOMING.unsampled).expect(200);
  await open('/topic/news?page=2', INCOMING.cold).expect(200);
  await open('/topic/news?page=2', WARM.header).expect(200);
  await open('/api/topics/news', API.header).expect(200);

  // Two readers of a page that is being built.
  const leader = open('/tag/ai', LEADER.header).then();
  await isHeld.promise;
  const arrives = once(site.servers.readers, 'request');
  const follower = open('/tag/ai', FOLLOWER.header).then();
  await arrives;
  // Nothing on its way to the look-up waits for input.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  held.resolve();
  await Promise.all([leader, follower]);

  // The first delivery is rejected: only an operator starts the second.
  await site.faults([{ path: '/api/contact/add', kind: 'status', status: 400 }]);
  await request(site.origin)
    .post('/api/contact-messages')
    .set('traceparent', FORM.header)
    .send(CONTACT)
    .expect(502);
  await site.faults([]);
  const [message] = Outbox.parse((await request(site.ops).get('/outbox')).body).messages.filter(
    ({ kind }) => kind === 'contact',
  );
  await request(site.ops).post(`/outbox/${message?.id}/retry`).expect(202);
  const isDeliveredAgain = () =>
    upstreamCalls.filter(({ call }) => call === 'POST /api/contact/add').length === 2;
  await vi.waitUntil(isDeliveredAgain, 60_000);
  await site.close();

  const of = (id: string) => receiver.spans.filter(({ traceId }) => traceId === id);
  Object.assign(traces, {
    cold: of(SAMPLED.id),
    unsampled: of(UNSAMPLED.id),
    warm: of(WARM.id),
    waiting: of(FOLLOWER.id),
    form: of(FORM.id),
    api: of(API.id),
  });
  const known = new Set([SAMPLED, WARM, LEADER, FOLLOWER, FORM, API].map(({ id }) => id));
  const linked = new Set(
    receiver.spans.filter(({ links }) => links.length > 0).map(({ traceId }) => traceId),
  );
  others = receiver.spans.filter(({ traceId }) => !known.has(traceId) && !linked.has(traceId));
  lines = log
    .text()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Line.parse(JSON.parse(line)));
});
afterAll(async () => {
  await demoCms.close();
  await receiver.close();
});

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);
function one(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const [span, ...more] = named(spans, name);
  if (!span || more.length > 0) throw new Error(`not one ${name} among ${spans.map((other) => other.name)}`);
  return span;
}

describe('the trace of a request that Fastify routes', () => {
  const root = () => one(traces.cold, 'GET /topic/:category');
  const children = (span: ReceivedSpan) =>
    traces.cold.filter(({ parentSpanId }) => parentSpanId === span.spanId);

  it('continues the trace of its traceparent, and has the route, the status and the path without its query', () => {
    expect(root()).toMatchObject({
      parentSpanId: SAMPLED.parent,
      kind: SERVER,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/topic/:category',
        'http.response.status_code': 200,
        'url.path': '/topic/news',
      },
    });
    expect(JSON.stringify(traces.cold)).not.toContain('?');
  });

  it('has the look-ups with their results', () => {
    const page = children(root());
    expect(page).toMatchObject([{ name: 'response cache get', attributes: { 'cache.result': 'miss' } }]);
    const [lookUp] = page;
    if (!lookUp) throw new Error('no look-up');
    const reads = children(lookUp).filter(({ name }) => name === 'cache get');
    const results = Object.fromEntries(
      reads.map(({ attributes }) => [attributes['cache.resource'], attributes['cache.result']]),
    );
    expect(results).toMatchObject({ topic: 'miss' });
    expect(Object.values(results)).toContain('hit');
  });

  it('has the upstream call, which carries the traceparent of its span', () => {
    const call = one(traces.cold, 'GET post.topic');
    expect(call).toMatchObject({
      kind: CLIENT,
      attributes: { 'http.response.status_code': 200, 'upstream.operation': 'post.topic' },
    });
    expect(upstreamCalls.find(({ call: path }) => path.includes('/topic/news?'))?.traceparent).toBe(
      `00-${SAMPLED.id}-${call.spanId}-01`,
    );
  });

  it('has the render and the compression, one after the other within the request', () => {
    const [render, compress] = [one(traces.cold, 'render'), one(traces.cold, 'compress')];
    expect(render.durationMs).toBeGreaterThan(0);
    // The worker's clock and that of the main thread may differ by a fraction of a millisecond.
    const CLOCKS_MS = 1;
    expect(compress.startedAt).toBeGreaterThan(render.startedAt + render.durationMs - CLOCKS_MS);
    expect(render.startedAt).toBeGreaterThan(root().startedAt - CLOCKS_MS);
    const end = root().startedAt + root().durationMs;
    expect(compress.startedAt + compress.durationMs).toBeLessThan(end + CLOCKS_MS);
  });

  it('of an API call has its compression', () => {
    const call = one(traces.api, 'GET /api/topics/:category');
    expect(call.parentSpanId).toBe('9'.repeat(16));
    expect(named(traces.api, 'compress')).toHaveLength(1);
  });

  it('that is not sampled is not recorded, and says so to the upstream', () => {
    expect(traces.unsampled).toEqual([]);
    const sent = upstreamCalls.filter(({ traceparent }) => String(traceparent).includes(UNSAMPLED.id));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every(({ traceparent }) => String(traceparent).endsWith('-00'))).toBe(true);
    expect(others).toEqual([]);
  });
});

it('a response of the front cache has one span, with the result of the look-up', () => {
  const root = one(traces.warm, 'GET /topic/:category');
  expect(root).toMatchObject({ parentSpanId: '9'.repeat(16), kind: SERVER });
  expect(root.attributes).toMatchObject({
    'cache.result': 'hit',
    'http.response.status_code': 200,
    'url.path': '/topic/news',
  });
  expect(traces.warm).toEqual([root]);
});

it('a request that waits for the build of another has a span that links to it', () => {
  const wait = one(traces.waiting, 'single-flight wait');
  expect(wait.links.map(({ traceId }) => traceId)).toEqual([LEADER.id]);
  expect(one(traces.waiting, 'response cache get').attributes).toEqual({ 'cache.result': 'coalesced' });
  expect(traces.waiting.filter(({ kind }) => kind === CLIENT)).toEqual([]);
});

it('a delivery is in the trace of the request that it came with, also when it is made later', () => {
  const root = one(traces.form, 'POST /api/contact-messages');
  const [first, later] = traces.form.filter(({ name }) => name === 'outbox deliver contact');
  expect(root).toMatchObject({ attributes: { 'http.response.status_code': 502 }, status: { code: ERROR } });
  expect([first?.parentSpanId, later?.parentSpanId]).toEqual([root.spanId, root.spanId]);
  const calls = traces.form.filter(({ name }) => name === 'POST contact.add');
  expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([first?.spanId, later?.spanId]);
  const attempts = upstreamCalls.filter(({ call }) => call === 'POST /api/contact/add');
  expect(attempts.map(({ traceparent }) => String(traceparent).slice(3, 35))).toEqual([FORM.id, FORM.id]);
  expect(JSON.stringify(receiver.spans)).not.toMatch(/ada@example|secret message/);
});

it('log lines of a sampled request name its trace and a span of it', () => {
  const spanOf = new Map(receiver.spans.map(({ spanId, traceId }) => [spanId, traceId]));
  const traced = lines.filter(({ trace_id: id }) => id !== undefined);
  for (const { trace_id: trace, span_id: span } of traced) expect(spanOf.get(span ?? '')).toBe(trace);
  const linesOf = (id: string, msg: string) =>
    traced.filter((line) => line.trace_id === id && line.msg === msg).length;
  expect(linesOf(SAMPLED.id, 'request')).toBeGreaterThan(0);
  expect(linesOf(WARM.id, 'request')).toBe(1);
  expect(linesOf(FORM.id, 'messages could not be delivered')).toBe(1);
  expect(linesOf(UNSAMPLED.id, 'request')).toBe(0);
});

it('exports carry the configured headers and resource', () => {
  expect(receiver.headers[0]).toMatchObject({
    authorization: 'Bearer abc',
    'content-type': 'application/json',
  });
  expect(receiver.resources[0]).toMatchObject({
    'service.name': 'meridian-test',
    'deployment.environment.name': 'test',
  });
});
