import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clockAhead } from '../../fixtures/clocks.ts';
import { rawRequest, statusesOf } from '../http/raw-request.ts';
import { type SiteParts, type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { makePicture, PREFIX, type ScriptedImageHost, sendPicture, startImageHost } from './image-host.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CACHE_CONTROL = 'public, max-age=86400, stale-while-revalidate=604800';
const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

let host: ScriptedImageHost;
let site: SiteUnderTest;
let dir: string;
const clock = clockAhead();

const parts: SiteParts = { clock, isOverloaded: () => false };

function pass(ms: number): void {
  clock.wallAheadMs += ms;
  clock.monotonicAheadMs += ms;
}

function startSite(env: Record<string, string> = {}): Promise<SiteUnderTest> {
  const own = { IMAGE_HOST: host.baseUrl, IMAGE_RESIZE: 'on', DATA_DIR: dir, TRUST_PROXY: 'true' };
  return startSiteUnderTest({ ...own, ...env }, parts);
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'site-images-'));
  host = await startImageHost();
  site = await startSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(() => {
  host.requests.length = 0;
});

function get(path: string, headers: Record<string, string> = {}, from = site) {
  return request(from.origin)
    .get(path)
    .set({ accept: CHROME, ...headers })
    .redirects(0)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });
}

function asked(path: string): number {
  return host.requests.filter((one) => one.path === `${PREFIX}${path}`).length;
}

/** Waits for what goes on after a response: the next sample must be `expected`. */
function eventually(sample: () => Promise<unknown>, expected: unknown): Promise<void> {
  return expect.poll(sample).toEqual(expected);
}

describe('a picture', () => {
  beforeAll(async () => {
    host.serve('/wide.png', sendPicture(await makePicture(2400, 1600)));
    host.serve('/small.png', sendPicture(await makePicture(300, 200)));
    host.serve('/clear.png', sendPicture(await makePicture(300, 200, 4)));
  });

  it.each([
    ['?width=1', 160],
    ['?width=160', 160],
    ['?width=300', 320],
    ['?width=500', 640],
    ['?width=1000', 1200],
    ['?width=1999', 2000],
    ['?width=5000', 2000],
    ['', 2000],
    ['?width=x', 2000],
    ['?width=-5', 2000],
    ['?width=320&width=640', 320],
    ['?width=320&height=9&host=evil.example', 320],
    ['?width=320&crop=1201x630', 320],
  ])('is served for %j at %i pixels', async (query, width) => {
    const { status, headers, body } = await get(`/media/wide.png${query}`, { accept: 'image/webp' });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/webp' });
    expect((await sharp(body).metadata()).width).toBe(width);
  });

  it.each(['image/avif,*/*', '*/*'])(
    'is cropped for where a page is shared, a JPEG for %j',
    async (accept) => {
      for (const name of ['wide', 'small', 'clear']) {
        const { headers, body } = await get(`/media/${name}.png?crop=1200x630`, { accept });
        expect([name, headers['content-type']]).toEqual([name, 'image/jpeg']);
        expect(await sharp(body).metadata()).toMatchObject({ width: 1200, height: 630 });
      }
    },
  );

  it('is never enlarged', async () => {
    const { body } = await get('/media/small.png?width=1200');
    expect(await sharp(body).metadata()).toMatchObject({ width: 300, height: 200 });
  });

  it.each([
    [CHROME, 'small', 'image/avif', 'heif'],
    ['image/webp,*/*', 'small', 'image/webp', 'webp'],
    ['*/*', 'small', 'image/jpeg', 'jpeg'],
    ['*/*', 'clear', 'image/png', 'png'],
    ['image/jpeg', 'clear', 'image/jpeg', 'jpeg'],
    ['image/png', 'small', 'image/png', 'png'],
    ['image/avif;q=0,image/webp', 'small', 'image/webp', 'webp'],
  ])('is for Accept %j, %s, an %s', async (accept, name, type, format) => {
    const { headers, body } = await get(`/media/${name}.png?width=160`, { accept });
    expect(headers).toMatchObject({
      'content-type': type,
      vary: 'Accept',
      'cache-control': CACHE_CONTROL,
      'content-length': String(body.length),
      'x-content-type-options': 'nosniff',
    });
    expect((await sharp(body).metadata()).format).toBe(format);
  });

  it('has a strong ETag of its bytes, and is 304 to whoever has them', async () => {
    const { headers, body } = await get('/media/small.png?width=160');
    const { etag = '' } = headers;
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/media/small.png?width=160', { 'if-none-match': known });
      expect([again.status, again.headers['content-length']]).toEqual([304, undefined]);
      expect(again.headers).toMatchObject({ etag, vary: 'Accept', 'cache-control': CACHE_CONTROL });
    }
    expect((await get('/media/small.png?width=160', { 'if-none-match': '"other"' })).body).toEqual(body);
    expect((await get('/media/small.png?width=160', { accept: 'image/webp' })).headers['etag']).not.toBe(
      etag,
    );
  });

  it('says the same to HEAD, without the bytes', async () => {
    const { headers } = await get('/media/small.png?width=160');
    const head = await request(site.origin).head('/media/small.png?width=160').set('accept', CHROME);
    expect(head.status).toBe(200);
    for (const name of ['etag', 'content-type', 'content-length', 'vary', 'cache-control'])
      expect([name, head.headers[name]]).toEqual([name, headers[name]]);
    const known = { accept: CHROME, 'if-none-match': headers['etag'] ?? '' };
    const unmodified = await request(site.origin).head('/media/small.png?width=160').set(known);
    expect([unmodified.status, unmodified.headers['content-length']]).toEqual([304, undefined]);
  });

  it('is asked for without anything of the request', async () => {
    host.serve('/own.png', sendPicture(await makePicture(20, 10)));
    await get('/media/own.png?width=160&x=y', {
      cookie: 'a=b',
      authorization: 'Bearer x',
      'x-forwarded-for': '9.9.9.9',
    });
    expect(host.requests.map(({ path }) => path)).toEqual([`${PREFIX}/own.png`]);
    expect(Object.keys(host.requests[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it('is fetched and transformed once a variant, however many wait', async () => {
    const bytes = await makePicture(900, 600);
    host.serve('/slow.png', (incoming, response) => {
      setTimeout(() => sendPicture(bytes)(incoming, response), 100);
    });
    const responses = await Promise.all(Array.from({ length: 25 }, () => get('/media/slow.png?width=200')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ headers }) => headers['etag'])).size).toBe(1);
    expect(asked('/slow.png')).toBe(1);
    await Promise.all([get('/media/slow.png?width=320'), get('/media/slow.png?width=161')]);
    expect(asked('/slow.png')).toBe(1);
    await get('/media/slow.png?width=640');
    expect(asked('/slow.png')).toBe(2);
  });

  it('is counted in the metrics', async () => {
    const { text } = await request(site.ops).get('/metrics');
    expect(text).toMatch(/^image_transforms_total\{format="avif",result="ok"\} [1-9]/m);
    expect(text).toMatch(/^image_transform_duration_seconds_count [1-9]/m);
  });
});

describe('a path', () => {
  it.each([
    '/media/..%2f..%2fpackage.json',
    '/media/%2e%2e%2fx.png',
    '/media/%252e%252e/x.png',
    '/media/a%5c..%5cx.png',
    '/media/a%00.png',
    '/media/a%0d%0aHost:%20evil.example',
    '/media/http:%2f%2fevil.example%2fx.png',
    '/media//evil.example/x.png',
    '/media/@evil.example/x.png',
    '/media/.',
    '/media/%2e/x.png',
    '/media/%252e%25252e/x.png',
    '/media/a/%2e%2e/%2e%2e/x.png',
    '/media/a/..;/x.png',
    '/media/%ff.png',
    '/media/a//b.png',
    '/media/',
    '/media',
    `/media/${'a'.repeat(3_000)}.png`,
  ])('as %s reaches nothing but the prefix', async (path) => {
    const bytes = `GET ${path} HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n`;
    const [status] = statusesOf(await rawRequest(site.origin, bytes));
    expect([308, 400, 404]).toContain(status);
    for (const one of host.requests) expect(one.path).toMatch(/^\/base\/(?!.*\.\.)/);
  });

  it('is escaped once, a question mark and a percent sign in it included', async () => {
    await get('/media/a%20b%3Fwidth%3D9%23c.png?width=160');
    await get('/media/100%25.png?width=160');
    expect(host.requests.map(({ path }) => path)).toEqual([
      `${PREFIX}/a%20b%3Fwidth%3D9%23c.png`,
      `${PREFIX}/100%25.png`,
    ]);
  });
});

describe('an original that is none', () => {
  const head = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200).write(head);
    const chunk = Buffer.alloc(1024 * 1024);
    const send = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', send);
    send();
  };

  it.each<[string, RequestListener]>([
    ['absent', (_, r) => void r.writeHead(404).end()],
    ['forbidden', (_, r) => void r.writeHead(403).end()],
    ['a redirect', (_, r) => void r.writeHead(302, { location: `${PREFIX}/small.png` }).end()],
    [
      'a permanent redirect elsewhere',
      (_, r) => void r.writeHead(308, { location: 'http://127.0.0.1:9/' }).end(),
    ],
    ['HTML', (_, r) => void r.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html><script>')],
    [
      'SVG',
      (_, r) =>
        void r
          .writeHead(200, { 'content-type': 'image/png' })
          .end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['nothing', (_, r) => void r.writeHead(200, { 'content-type': 'image/png' }).end()],
    ['only the first bytes of a picture', (_, r) => void r.writeHead(200).end(head)],
    [
      'announced as too large',
      (_, r) => void r.writeHead(200, { 'content-length': String(21 * 2 ** 20) }).write(head),
    ],
  ])('%s: 404 for a minute, and asked for once', async (name, listener) => {
    const path = `/none/${encodeURIComponent(name)}.png`;
    host.serve(path, listener);
    for (const width of [160, 320]) {
      const { status, headers, body } = await get(`/media${path}?width=${width}`);
      expect({ status, type: headers['content-type'], cacheControl: headers['cache-control'] }).toEqual({
        status: 404,
        type: 'application/problem+json; charset=utf-8',
        cacheControl: 'public, max-age=60',
      });
      expect(JSON.parse(String(body))).toMatchObject({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
      });
    }
    expect(asked(path)).toBe(1);
    expect(asked('/small.png')).toBe(0);
  });

  it('has no end: 404, as soon as it is larger than an original may be', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'site-images-'));
    const slowSite = await startSite({ DATA_DIR: folder });
    try {
      host.serve('/endless.png', endless);
      for (const width of [160, 320])
        expect((await get(`/media/endless.png?width=${width}`, {}, slowSite)).status).toBe(404);
      expect(asked('/endless.png')).toBe(1);
    } finally {
      await slowSite.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('says that it has 30,000 pixels either way, in a few bytes', async () => {
    const size = Buffer.alloc(8);
    size.writeUInt32BE(30_000, 0);
    size.writeUInt32BE(30_000, 4);
    const png = await makePicture(30, 20);
    const dimensions = 16;
    host.serve(
      '/claims.png',
      sendPicture(Buffer.concat([png.subarray(0, dimensions), size, png.subarray(24)])),
    );
    expect((await get('/media/claims.png?width=160')).status).toBe(404);
  });

  it('has too many pixels', async () => {
    const bomb = await sharp({
      create: { width: 16_000, height: 16_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    })
      .png()
      .toBuffer();
    host.serve('/bomb.png', sendPicture(bomb));
    const before = process.memoryUsage.rss();
    expect((await get('/media/bomb.png?width=160')).status).toBe(404);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20);
  });

  it('is looked for again after a minute', async () => {
    expect((await get('/media/later.png?width=160')).status).toBe(404);
    host.serve('/later.png', sendPicture(await makePicture(30, 20)));
    expect((await get('/media/later.png?width=160')).status).toBe(404);
    pass(MINUTE + 1_000);
    expect((await get('/media/later.png?width=160')).status).toBe(200);
  });
});

describe('an image host that fails', () => {
  let folder: string;
  /** For a host that is silent. */
  let shortTimeoutSite: SiteUnderTest;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-images-'));
    shortTimeoutSite = await startSite({ UPSTREAM_TIMEOUT_MS: '1500', DATA_DIR: folder });
  });
  afterAll(async () => {
    await shortTimeoutSite.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each<[string, RequestListener]>([
    ['with a status', (_, r) => void r.writeHead(500).end()],
    ['for being overloaded', (_, r) => void r.writeHead(429).end()],
    ['by a reset', (incoming) => void incoming.socket.destroy()],
    ['by silence', () => undefined],
    [
      'by a byte at a time',
      (_, r) => {
        r.writeHead(200).write('\x89PNG\r\n\x1a\n', 'latin1');
        const timer = setInterval(() => r.write('a'), 20);
        r.on('close', () => clearInterval(timer));
      },
    ],
    [
      'in the middle',
      (_, r) => void r.writeHead(200, { 'content-length': '999' }).write('\x89PNG\r\n\x1a\n', 'latin1'),
    ],
  ])('%s gives 502, which is not kept', async (name, listener) => {
    const path = `/failing/${encodeURIComponent(name)}.png`;
    host.serve(path, listener);
    const { status, headers, body } = await get(`/media${path}?width=160`, {}, shortTimeoutSite);
    expect([status, headers['cache-control']]).toEqual([502, 'no-store']);
    expect(JSON.parse(String(body))).toMatchObject({ title: 'Bad Gateway', status: 502 });
    host.serve(path, sendPicture(await makePicture(30, 20)));
    // On a busy machine this host, too, may be too slow at times.
    const again = async () => {
      pass(5_500);
      return (await get(`/media${path}?width=160`, {}, shortTimeoutSite)).status;
    };
    await eventually(again, 200);
  });

  it('does not hold up pages', async () => {
    for (let n = 0; n < 30; n++) host.serve(`/hanging-${n}.png`, () => undefined);
    const pictures = Array.from(
      { length: 30 },
      async (_, n) => (await get(`/media/hanging-${n}.png?width=160`, {}, shortTimeoutSite)).status,
    );
    // A page of its own words: the upstream of a busy machine may be too slow for this site.
    expect((await request(shortTimeoutSite.origin).get('/about')).status).toBe(200);
    // Two at a time, each until its deadline: the last of them may have waited too long.
    for (const status of await Promise.all(pictures)) expect([502, 503]).toContain(status);
  });

  it('for some paths is asked for others', async () => {
    host.serve('/well.png', sendPicture(await makePicture(30, 20)));
    for (let n = 0; n < 40; n++) {
      host.serve(`/broken-${n}.png`, (_, response) => void response.writeHead(500).end());
      expect((await get(`/media/broken-${n}.png?width=160`)).status).toBe(502);
    }
    expect((await get('/media/well.png?width=160')).status).toBe(200);
  });

  it.each([
    ['with an error', (response: ServerResponse) => void response.writeHead(503).end()],
    ['by a refusal', (response: ServerResponse) => void response.writeHead(403).end()],
    ['by a redirect', (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end()],
    ['by a page', (response: ServerResponse) => void response.end('<h1>Back soon</h1>')],
  ])('%s leaves the older result in place', async (how, respond) => {
    const path = `/old-${how.replaceAll(' ', '-')}.png`;
    host.serve(path, sendPicture(await makePicture(30, 20)));
    const { etag } = (await get(`/media${path}?width=160`)).headers;
    host.serve(path, (_, response) => respond(response));
    for (const [age, fetches] of [
      [DAY, 2],
      [2 * DAY, 3],
    ] as const) {
      pass(age);
      // Again: the first may come while the attempt before is still ending.
      const again = async () => {
        const { status, headers } = await get(`/media${path}?width=160`);
        return [status, headers['etag'], headers['cache-control'], asked(path)];
      };
      await eventually(again, [200, etag, 'public, max-age=60, stale-while-revalidate=604800', fetches]);
    }
  });
});

describe('a result that is older than a day', () => {
  it('is served once more while it is made again', async () => {
    host.serve('/same.png', sendPicture(await makePicture(30, 20)));
    const { headers } = await get('/media/same.png?width=160');
    pass(DAY + 1_000);
    const again = await get('/media/same.png?width=160');
    expect([again.status, again.headers['cache-control']]).toEqual([
      200,
      'public, max-age=60, stale-while-revalidate=604800',
    ]);
    await eventually(async () => {
      const { headers: now } = await get('/media/same.png?width=160');
      return [now['etag'], now['cache-control']];
    }, [headers['etag'], CACHE_CONTROL]);
    expect(asked('/same.png')).toBe(2);
  });

  it('gives way to a new original', async () => {
    host.serve('/new.png', sendPicture(await makePicture(30, 20)));
    const { headers } = await get('/media/new.png?width=160');
    host.serve('/new.png', sendPicture(await makePicture(60, 20)));
    pass(DAY + 1_000);
    expect((await get('/media/new.png?width=160')).headers['etag']).toBe(headers['etag']);
    await eventually(
      async () => (await sharp((await get('/media/new.png?width=160')).body).metadata()).width,
      60,
    );
  });

  it('goes with its original', async () => {
    host.serve('/gone.png', sendPicture(await makePicture(30, 20)));
    await get('/media/gone.png?width=160');
    host.serve('/gone.png', (_, response) => void response.writeHead(410).end());
    pass(DAY + 1_000);
    await get('/media/gone.png?width=160');
    await eventually(async () => (await get('/media/gone.png?width=160')).status, 404);
  });
});

describe('capacity', () => {
  describe('of a client', () => {
    const ONE = { 'x-forwarded-for': '203.0.113.1' };
    const OTHER = { 'x-forwarded-for': '203.0.113.2' };
    let release: () => void;
    beforeEach(async () => {
      const bytes = await makePicture(30, 20);
      const { promise: released, resolve } = Promise.withResolvers<void>();
      release = resolve;
      for (let n = 0; n < 44; n++)
        host.serve(
          `/many-${n}.png`,
          (incoming, response) => void released.then(() => sendPicture(bytes)(incoming, response)),
        );
      host.serve('/quick.png', sendPicture(bytes));
    });

    it('is two loads and forty that wait; the next is 503, and nobody else notices', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'site-images-'));
      const slowSite = await startSite({ DATA_DIR: folder });
      try {
        const responses = Array.from({ length: 44 }, (_, n) =>
          get(`/media/many-${n}.png?width=160`, ONE, slowSite).then((response) => response),
        );
        const { status, headers } = await Promise.any(responses);
        expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '5', 'no-store']);
        expect((await get('/media/quick.png?width=160', OTHER, slowSite)).status).toBe(200);
        expect(host.requests.filter(({ path }) => path.includes('/many-'))).toHaveLength(2);
        release();
        const statuses = (await Promise.all(responses)).map((response) => response.status).sort();
        expect(statuses).toEqual([...Array(42).fill(200), 503, 503]);
        const { text } = await request(slowSite.ops).get('/metrics');
        expect(text).toContain('image_transforms_total{format="avif",result="rejected"} 2');
      } finally {
        await slowSite.close();
        await rm(folder, { recursive: true, force: true });
      }
    });

    it('is free again once the client has left', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'site-images-'));
      const slowSite = await startSite({ DATA_DIR: folder });
      const left = new AbortController();
      try {
        const ask = (n: number, signal: AbortSignal | null) =>
          fetch(`${slowSite.origin}/media/many-${n}.png?width=160`, { headers: ONE, signal });
        const before = Array.from({ length: 42 }, (_, n) => ask(n, left.signal).catch(() => null));
        await eventually(
          async () => (await ask(43, AbortSignal.timeout(200)).catch(() => null))?.status,
          503,
        );
        left.abort();
        await Promise.all(before);
        release();
        await eventually(async () => (await ask(43, null)).status, 200);
        // Two had begun. What waited was never fetched.
        expect(host.requests.filter(({ path }) => path.includes('/many-'))).toHaveLength(3);
      } finally {
        await slowSite.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
});

describe('pages', () => {
  it('ask this origin for each image, with srcset, sizes, width and height', async () => {
    const { text: home } = await request(site.origin).get('/');
    const [, article = ''] = /<h2[^>]*><a href="([^"]+)"/.exec(home) ?? [];
    for (const path of ['/', article, '/topic/news', '/search/all/data', '/events']) {
      const { text } = await request(site.origin).get(path);
      const images = [...text.matchAll(/<img [^>]*>/g)].map(([tag]) => tag);
      const resized = images.filter((tag) => tag.includes(' src="/media/'));
      expect(resized.length, path).toBeGreaterThan(0);
      for (const tag of resized)
        for (const name of ['srcset="/media/', 'sizes="', 'width="', 'height="'])
          expect(tag.toLowerCase()).toContain(` ${name}`);
      expect(text).not.toContain(host.baseUrl);
    }
  });

  it('have an image of 1200 x 630 pixels for where they are shared, with its size and text', async () => {
    const { text: home } = await request(site.origin).get('/');
    const [, article = ''] = /<h2[^>]*><a href="([^"]+)"/.exec(home) ?? [];
    for (const path of ['/', article, '/topic/news']) {
      const { text } = await request(site.origin).get(path);
      const meta = (name: string) => new RegExp(`<meta property="${name}" content="([^"]+)"`).exec(text)?.[1];
      expect(meta('og:image'), path).toMatch(/^https:\/\/[^/]+\/media\/[^?]+\?crop=1200x630$/);
      expect([meta('og:image:width'), meta('og:image:height')]).toEqual(['1200', '630']);
      expect(meta('og:image:alt')).toBe(meta('og:title'));
    }
  });

  it('ask the image host itself without IMAGE_RESIZE, and there is no route for its images', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'site-images-'));
    const plain = await startSite({ IMAGE_RESIZE: 'off', DATA_DIR: folder });
    try {
      const { text } = await request(plain.origin).get('/');
      expect(text).toContain(` src="${host.baseUrl}/`);
      expect(text).not.toContain('"/media/');
      expect((await get('/media/small.png?width=160', {}, plain)).status).toBe(404);
      expect(host.requests).toEqual([]);
    } finally {
      await plain.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the disk', () => {
  it('keeps results over a restart', async () => {
    host.serve('/kept.png', sendPicture(await makePicture(900, 600)));
    const { headers, body } = await get('/media/kept.png?width=640');
    await site.close();
    site = await startSite();
    const again = await get('/media/kept.png?width=640');
    expect([again.status, again.headers['etag'], again.body]).toEqual([200, headers['etag'], body]);
    expect(asked('/kept.png')).toBe(1);
  });

  it('is bounded', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'site-images-'));
    const small = await startSite({ IMAGE_CACHE_MB: '1', DATA_DIR: folder });
    try {
      host.serve('/noise.png', sendPicture(await makePicture(1200, 800)));
      for (const width of [320, 480, 640, 800, 960, 1200])
        expect((await get(`/media/noise.png?width=${width}`, { accept: 'image/png' }, small)).status).toBe(
          200,
        );
      // A file may be removed between being listed and being looked at.
      const isBounded = async () => {
        const bytes = await bytesIn(join(folder, 'images'));
        return bytes > 0 && bytes <= 2 ** 20;
      };
      await eventually(isBounded, true);
    } finally {
      await small.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

async function bytesIn(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
