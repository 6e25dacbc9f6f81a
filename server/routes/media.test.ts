import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mediaPath, mediaRoutes } from './media.ts';

let host: FastifyInstance;
let app: FastifyInstance;
let asked: { url: string; method: string; host: string | undefined; accept: string | undefined }[];

beforeAll(async () => {
  host = Fastify();
  host.get('/*', async ({ url, method, headers }, reply) => {
    asked.push({ url, method, host: headers.host, accept: headers.accept });
    return reply.header('etag', '"one"').header('x-secret', 'of the host').type('image/webp').send('bytes');
  });
  app = Fastify();
  await app.register(mediaRoutes, { mediaOrigin: await host.listen({ port: 0, host: '127.0.0.1' }) });
});
afterAll(async () => {
  await app.close();
  await host.close();
});
beforeEach(() => {
  asked = [];
});

describe('an image', () => {
  it('comes from its host, with the forwarded headers alone', async () => {
    const { statusCode, headers, body } = await app.inject({
      url: '/media/posts/a%20story.jpg?width=320&x=y',
      headers: { accept: 'image/webp', cookie: 'a=b', host: 'evil.example' },
    });
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: 'bytes' });
    expect(headers).toMatchObject({ etag: '"one"', 'content-type': 'image/webp' });
    expect(headers).not.toHaveProperty('x-secret');
    expect(asked).toEqual([
      expect.objectContaining({ url: '/media/posts/a%20story.jpg?width=320', accept: 'image/webp' }),
    ]);
    expect(asked[0]?.host).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it.each(['', '0x10', '-1', '1e3', '10&path=/x', '320/../..', 'http://evil.example', '999999'])(
    'is asked for without the width %j',
    async (width) => {
      await app.inject(`/media/a.jpg?width=${encodeURIComponent(width)}`);
      await app.inject(`/media/a.jpg?width=${encodeURIComponent(width)}&width=9`);
      expect(asked.map(({ url }) => url)).toEqual(['/media/a.jpg', '/media/a.jpg']);
    },
  );

  it.each(['', '.', '..', 'a/..', 'a//b', 'a/', '..\\b', '%2e%2e/b', 'a%', 'a\0', 'a\r\nb'])(
    'has not the path %j',
    async (rest) => {
      expect(mediaPath(rest, undefined)).toBeNull();
      const { statusCode } = await app.inject(`/media/${encodeURIComponent(rest)}`);
      expect(statusCode).toBe(404);
      expect(asked).toEqual([]);
    },
  );

  it('has a path below its prefix, or none', () => {
    const piece = fc.oneof(
      fc.constantFrom('/', '..', '.', '\\', '%2e', '%2F', '?', '#', '@', ':'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.option(fc.stringMatching(/^\d{1,5}$/), { nil: undefined }),
        (pieces, width) => {
          const rest = pieces.join('').toWellFormed();
          const path = mediaPath(rest, width);
          if (path === null) return;
          const { origin, pathname, search, href } = new URL(path, 'http://own');
          expect(origin).toBe('http://own');
          expect(href).toBe(`http://own${path}`);
          expect(decodeURIComponent(pathname)).toBe(`/media/${rest}`);
          expect(search).toBe(width === undefined ? '' : `?width=${width}`);
        },
      ),
    );
  });
});
