import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  buildCachedResponse,
  buildCachedResponseSync,
  type CachedResponse,
  uncompress,
} from './compressed-bodies.ts';

const TEXT = '<p>A paragraph – of some length.</p>'.repeat(500);
const LONG = `${TEXT}${'long '.repeat(200_000)}`;

const built: [string, (text: string) => Promise<CachedResponse>][] = [
  ['off the event loop', (text) => buildCachedResponse(200, 'text/html', text)],
  ['on the thread', async (text) => buildCachedResponseSync(200, 'text/html', text)],
];

describe.each(built)('a response compressed %s', (_name, build) => {
  it('holds its compressed bodies in memory of their own, and counts all of it', async () => {
    for (const text of ['short', TEXT, LONG]) {
      const { variants, bytes } = await build(text);
      const bodies = [variants.br.body, variants.gzip.body, variants.identity.body].filter(
        (body) => body !== null,
      );
      for (const body of bodies) expect(body.buffer.byteLength).toBe(body.length);
      expect(bytes).toBe(bodies.reduce((sum, { length }) => sum + length, 0));
    }
  });

  it('does not hold the uncompressed body, and knows its length', async () => {
    const response = await build(TEXT);
    expect(response.variants.identity.body).toBeNull();
    expect(response.variants.identity.length).toBe(Buffer.byteLength(TEXT));
    expect(gunzipSync(response.variants.gzip.body).toString()).toBe(TEXT);
  });

  it.each(['', 'short', TEXT, LONG])('returns the uncompressed body', async (text) => {
    const response = await build(text);
    const body = uncompress(response);
    expect(new TextDecoder().decode(body) === text).toBe(true);
    expect(body.length).toBe(response.variants.identity.length);
  });

  it('holds a long body uncompressed: uncompressing it would block the event loop', async () => {
    const { variants } = await build(LONG);
    expect(new TextDecoder().decode(variants.identity.body ?? undefined) === LONG).toBe(true);
  });
});
