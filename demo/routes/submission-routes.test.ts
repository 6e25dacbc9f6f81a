import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildDemoCms } from '#demo/demo-cms.ts';
import { sampleContent } from '#demo/sample-content.ts';
import { stableId } from '#demo/stable-id.ts';

const MESSAGE = {
  first_name: 'Mara',
  last_name: 'Lund',
  email: 'mara@example.com',
  phone: '+1 202-555-0111',
  message: 'Hello',
  opt_in: true,
};
const POST_ID = stableId('news-piece-2');
const VIEW = { postId: String(POST_ID), ip_addr: '198.51.100.4' };

function open(dataDir: string | null = null): FastifyInstance {
  return buildDemoCms({ dataDir, content: sampleContent(), pictures: async () => null });
}

let app: FastifyInstance;
beforeEach(() => {
  app = open();
});

async function post(url: string, payload: object, key?: string): Promise<number> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return (await app.inject({ method: 'POST', url, payload, headers })).statusCode;
}

async function stored(kind: string): Promise<unknown> {
  return (await app.inject(`/demo-cms/submissions?kind=${kind}`)).json();
}

describe('POST /api/subscribe/add', () => {
  it('adds an address once, whatever its case', async () => {
    expect(await post('/api/subscribe/add', { email: 'mara@example.com' })).toBe(201);
    expect(await post('/api/subscribe/add', { email: 'Mara@Example.com' })).toBe(404);
    expect(await stored('subscription')).toMatchObject({
      received: 2,
      submissions: [{ payload: { email: 'mara@example.com' }, idempotencyKey: null, received: 1 }],
    });
  });

  it.each([
    '',
    'mara',
    'mara@',
    '@example.com',
    'mara@example',
    'ma ra@example.com',
    'a@b@c.com',
    'mara@.com',
  ])('refuses %j', async (email) => {
    expect(await post('/api/subscribe/add', { email })).toBe(422);
  });

  it('stores a repeat once, and says that it knows the address, also under the same key', async () => {
    expect(await post('/api/subscribe/add', { email: 'mara@example.com' }, 'k1')).toBe(201);
    expect(await post('/api/subscribe/add', { email: 'mara@example.com' }, 'k1')).toBe(404);
    expect(await post('/api/subscribe/add', { email: 'mara@example.com' }, 'k2')).toBe(404);
    expect(await post('/api/subscribe/add', { email: 'mara@example.com' }, 'k2')).toBe(404);
    expect(await stored('subscription')).toMatchObject({
      received: 4,
      submissions: [{ idempotencyKey: 'k1' }],
    });
  });
});

describe.each([
  ['/api/contact/add', 'contact'],
  ['/api/optout/add', 'opt-out'],
])('POST %s', (url, kind) => {
  it('stores a message', async () => {
    expect(await post(url, MESSAGE)).toBe(201);
    expect(await stored(kind)).toMatchObject({ submissions: [{ kind, payload: MESSAGE }] });
  });

  it.each(['first_name', 'last_name', 'email', 'phone', 'opt_in'])(
    'refuses one without %s',
    async (field) => {
      expect(await post(url, { ...MESSAGE, [field]: undefined })).toBe(422);
      expect(await stored(kind)).toEqual({ received: 1, submissions: [] });
    },
  );

  it('stores one message under one key, and two without', async () => {
    await post(url, MESSAGE, 'k');
    await post(url, MESSAGE, 'k');
    expect(await stored(kind)).toMatchObject({
      received: 2,
      submissions: [{ idempotencyKey: 'k', received: 2 }],
    });
    await post(url, MESSAGE);
    await post(url, MESSAGE);
    expect(await stored(kind)).toMatchObject({ received: 4, submissions: { length: 3 } });
  });
});

describe('POST /api/post/post_count/{post_id}', () => {
  const url = `/api/post/post_count/${POST_ID}`;
  const views = async () => (await app.inject('/demo-cms/views')).json();

  it('stores a view, once per key', async () => {
    expect(await post(url, VIEW, 'v')).toBe(200);
    expect(await post(url, VIEW, 'v')).toBe(200);
    expect(await views()).toMatchObject({
      received: 2,
      views: [{ postId: String(POST_ID), ipAddr: '198.51.100.4', idempotencyKey: 'v', received: 2 }],
    });
  });

  it('takes the id as a number as well', async () => {
    expect(await post(url, { ...VIEW, postId: POST_ID })).toBe(200);
  });

  it('responds 404 for an unknown post and 422 for an invalid body', async () => {
    expect(await post('/api/post/post_count/1', { ...VIEW, postId: '1' })).toBe(404);
    expect(await post(url, { ...VIEW, postId: '1' })).toBe(422);
    expect(await post(url, { postId: String(POST_ID) })).toBe(422);
    expect(await views()).toMatchObject({ received: 3, views: [] });
  });

  it('makes the most viewed post the most popular', async () => {
    await post(url, VIEW);
    expect((await app.inject('/api/post/homepopular')).json()).toMatchObject({ 0: { id: POST_ID } });
  });
});

describe('GET /demo-cms/submissions', () => {
  it('wants a kind that it knows', async () => {
    expect((await app.inject('/demo-cms/submissions?kind=gossip')).statusCode).toBe(400);
  });

  it('reads back after a restart what was stored on disk', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'demo CMS-'));
    try {
      app = open(dir);
      await post('/api/contact/add', MESSAGE, 'k');
      await app.close();
      app = open(dir);
      await post('/api/contact/add', MESSAGE, 'k');
      expect(await stored('contact')).toMatchObject({
        received: 2,
        submissions: [{ payload: MESSAGE, received: 2 }],
      });
      await app.close();
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
