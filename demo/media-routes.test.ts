import { afterAll, describe, expect, it } from 'vitest';
import { buildNewsroom } from './newsroom.ts';
import { pictureContentOf, pictureEdition } from './picture-edition.ts';
import type { PictureRequest } from './pictures/picture.ts';
import { sampleContent, samplePost } from './sample-content.ts';

const asked: PictureRequest[] = [];
const pictures = {
  async render(request: PictureRequest) {
    asked.push(request);
    return request.path === '/posts/known.jpg' ? Buffer.from(JSON.stringify(request)) : null;
  },
};
const app = buildNewsroom({ dataDir: null, content: sampleContent(), pictures });
const real = buildNewsroom({ dataDir: null, content: sampleContent() });
afterAll(async () => {
  await app.close();
  await real.close();
});

const get = (query: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/media/posts/known.jpg${query}`, headers });

describe('GET /media', () => {
  it.each([
    ['', 1200],
    ['?width=500', 500],
    ['?width=501', 600],
    ['?width=1', 100],
    ['?width=9000', 1600],
    ['?width=x', 1200],
    ['?width=', 1200],
  ])('draws %j %i pixels wide', async (query, width) => {
    expect((await get(query)).json()).toMatchObject({ width });
  });

  it.each([
    ['image/avif,image/webp,*/*;q=0.8', 'avif'],
    ['image/webp,*/*', 'webp'],
    ['image/avif;q=0, image/webp', 'webp'],
    ['*/*', 'jpeg'],
    ['', 'jpeg'],
  ])('answers Accept %j with %s', async (accept, format) => {
    const response = await get('', { accept });
    expect(response.headers).toMatchObject({ 'content-type': `image/${format}`, vary: 'Accept' });
    expect(response.json()).toMatchObject({ format });
  });

  it('lets a picture be kept, and answers 304 to one that has it', async () => {
    const first = await get('');
    expect(first.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const again = await get('', { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag]);
    expect((await get('', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('answers 404 for a picture that is not there', async () => {
    expect((await app.inject('/media/posts/other.jpg')).statusCode).toBe(404);
  });

  it.each(['/posts/news-piece-0.jpg', '/authors/ada-quill.jpg', '/events/event-3.jpg', '/ads/ad-home-2.jpg'])(
    'draws %s of the content',
    async (path) => {
      const response = await real.inject({
        url: `/media${path}?width=100`,
        headers: { accept: 'image/webp' },
      });
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload.subarray(8, 12).toString()).toBe('WEBP');
    },
  );

  it('draws no portrait of an author without a photo', async () => {
    expect((await real.inject('/media/authors/desk.jpg')).statusCode).toBe(404);
  });
});

describe('pictureEdition', () => {
  it('changes with what there is to draw, and only then', () => {
    const edition = (posts = sampleContent().posts) =>
      pictureEdition(pictureContentOf(sampleContent({ posts })));
    expect(edition()).toBe(edition());
    expect(edition([samplePost({ slug: 'other' })])).not.toBe(edition());
  });
});
