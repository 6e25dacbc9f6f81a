import { once } from 'node:events';
import { type ClientRequest, get as httpGet } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleContent } from '#demo/sample-content.ts';
import { type RunningDemoCms, startDemoCms } from '#demo/start.ts';
import type { FaultRule } from './faults.ts';

const PATH = '/api/post/topic/news';
const pictures = async () => null;

let demoCms: RunningDemoCms;
beforeEach(async () => {
  demoCms = await startDemoCms({ dataDir: null, faults: true, content: sampleContent(), pictures });
});
afterEach(() => demoCms.close());

const call = (path = PATH) => fetch(`${demoCms.origin}${path}`);

async function switchOn(rule: Omit<FaultRule, 'path'>): Promise<void> {
  const response = await fetch(`${demoCms.origin}/demo-cms/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ path: '/api/post/topic/*', ...rule }]),
  });
  expect(response.status).toBe(200);
}

describe('a fault seen by a reader of the API', () => {
  it('is a status', async () => {
    await switchOn({ kind: 'status', status: 429 });
    expect((await call()).status).toBe(429);
  });

  it('is a connection that is reset', async () => {
    await switchOn({ kind: 'reset' });
    await expect(call()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  it('is JSON that stops half-way in a complete response', async () => {
    await switchOn({ kind: 'broken-json' });
    const response = await call();
    expect(response.headers.get('content-type')).toContain('application/json');
    await expect(response.json()).rejects.toThrow(SyntaxError);
  });

  it.each([{ posts: 'none' }, [1], 'text', null])('is the JSON %j instead of the response', async (body) => {
    await switchOn({ kind: 'wrong-json', body });
    expect(await (await call()).json()).toEqual(body);
  });

  it('is a page of HTML under status 200', async () => {
    await switchOn({ kind: 'html' });
    const response = await call();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  it('is a body that is cut off', async () => {
    await switchOn({ kind: 'cut-body' });
    const response = await call();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('is the right body, byte by byte', async () => {
    const whole = await (await call('/api/post/topic/gossip')).text();
    await switchOn({ kind: 'slow-body', ms: 0 });
    const response = await call('/api/post/topic/gossip');
    let chunks = 0;
    let text = '';
    for await (const chunk of response.body ?? []) {
      chunks += 1;
      text += new TextDecoder().decode(chunk);
    }
    expect(text).toBe(whole);
    expect(chunks).toBeGreaterThan(10);
  });

  it('is a body of 64 MiB', async () => {
    await switchOn({ kind: 'huge-body' });
    let bytes = 0;
    for await (const chunk of (await call()).body ?? []) bytes += chunk.length;
    expect(bytes).toBeGreaterThanOrEqual(64 * 1024 * 1024);
  });

  it('is JSON of a hundred thousand levels', async () => {
    await switchOn({ kind: 'deep-json' });
    expect(await (await call()).text()).toContain('['.repeat(100_000));
  });

  it('is a small response that decompresses to a huge one', async () => {
    await switchOn({ kind: 'gzip-bomb' });
    const response = await call();
    expect(Number(response.headers.get('content-length'))).toBeLessThan(512 * 1024);
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    expect(bytes).toBe(256 * 1024 * 1024);
  });

  it('is a delay before the right response', async () => {
    await switchOn({ kind: 'latency', ms: 60 });
    const start = performance.now();
    expect(await (await call()).json()).toHaveProperty('posts');
    expect(performance.now() - start).toBeGreaterThan(55);
  });

  it('is no response until the demo CMS closes, which it does not delay', async () => {
    await switchOn({ kind: 'hang' });
    const request: ClientRequest = httpGet(`${demoCms.origin}${PATH}`);
    await once(request, 'socket');
    await expect.poll(async () => (await call('/demo-cms/calls')).json()).toEqual({ [`GET ${PATH}`]: 1 });
    const failed = once(request, 'error');
    await demoCms.close();
    expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
  });

  it.each(['latency', 'slow-body'] as const)('lets the demo CMS close during %s', async (kind) => {
    await switchOn({ kind, ms: 3_600_000 });
    const response = call().then((response) => response.text());
    const ended = Promise.allSettled([response]);
    await expect.poll(async () => (await call('/demo-cms/calls')).json()).toEqual({ [`GET ${PATH}`]: 1 });
    await demoCms.close();
    await ended;
  });
});

describe('the switches', () => {
  it('leave other paths alone, and end with DELETE', async () => {
    await switchOn({ kind: 'status' });
    expect((await call()).status).toBe(500);
    expect((await call('/api/post/latest')).status).toBe(200);
    expect((await fetch(`${demoCms.origin}/demo-cms/faults`, { method: 'DELETE' })).status).toBe(204);
    expect((await call()).status).toBe(200);
  });

  it('refuse a rule that they do not know', async () => {
    const response = await demoCms.app.inject({
      method: 'PUT',
      url: '/demo-cms/faults',
      payload: [{ path: '/', kind: 'fire' }],
    });
    expect(response.statusCode).toBe(400);
  });

  it('are not there unless asked for', async () => {
    const plain = await startDemoCms({ dataDir: null, content: sampleContent(), pictures });
    const response = await fetch(`${plain.origin}/demo-cms/faults`, { method: 'DELETE' });
    await plain.close();
    expect(response.status).toBe(404);
  });
});

describe('GET /demo-cms/calls', () => {
  it('counts calls by method and path since the last DELETE', async () => {
    await call(`${PATH}?page=1`);
    await call(`${PATH}?page=2`);
    await fetch(`${demoCms.origin}/api/subscribe/add`, { method: 'POST' });
    const counts = async () => (await call('/demo-cms/calls')).json();
    expect(await counts()).toEqual({ [`GET ${PATH}`]: 2, 'POST /api/subscribe/add': 1 });
    await fetch(`${demoCms.origin}/demo-cms/calls`, { method: 'DELETE' });
    expect(await counts()).toEqual({});
  });
});
