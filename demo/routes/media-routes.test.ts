import { afterAll, describe, expect, it } from 'vitest';
import { buildDemoCms } from '#demo/demo-cms.ts';
import type { GetPicture } from '#demo/picture-folder.ts';
import { sampleContent } from '#demo/sample-content.ts';

const pictures: GetPicture = async (request) =>
  request.path === '/posts/known.jpg'
    ? { bytes: Buffer.from(JSON.stringify(request)), etag: '"known"' }
    : null;
const app = buildDemoCms({ dataDir: null, content: sampleContent(), pictures });
afterAll(() => app.close());

const get = (query: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/media/posts/known.jpg${query}`, headers });

describe('GET /media', () => {
  it.each([
    ['', 1600],
    ['?width=500', 500],
    ['?width=501', 600],
    ['?width=1', 100],
    ['?width=9000', 1600],
    ['?width=x', 1600],
    ['?width=', 1600],
  ])('serves %j %i pixels wide', async (query, width) => {
    expect((await get(query)).json()).toMatchObject({ width });
  });

  it.each([
    ['image/avif,image/webp,*/*;q=0.8', 'avif'],
    ['image/webp,*/*', 'webp'],
    ['image/avif;q=0, image/webp', 'webp'],
    ['image/png,*/*;q=0.1', 'png'],
    ['*/*', 'jpeg'],
    ['', 'jpeg'],
  ])('responds to Accept %j with %s', async (accept, format) => {
    const response = await get('', { accept });
    expect(response.headers).toMatchObject({ 'content-type': `image/${format}`, vary: 'Accept' });
    expect(response.json()).toMatchObject({ format });
  });

  it('lets a picture be cached, and responds 304 to its ETag', async () => {
    const first = await get('');
    expect(first.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const again = await get('', { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag]);
    expect((await get('', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('responds 404 for a missing picture', async () => {
    const { statusCode, headers, json } = await app.inject('/media/posts/other.jpg');
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(json()).toMatchObject({ type: 'about:blank', title: 'Not Found', status: 404 });
  });
});
