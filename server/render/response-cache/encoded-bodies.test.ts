import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  buildCachedResponse,
  buildCachedResponseSync,
  type CachedResponse,
  createIdentityBodies,
  uncompress,
} from './encoded-bodies.ts';

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

it('leaves 12 KiB of garbage a response at most, until a full collection', () => {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc');
  // What the first has freed is given back by the second.
  for (let count = 0; count < 2; count++) collect({ type: 'major' });
  const before = process.memoryUsage().arrayBuffers;
  const page = TEXT.repeat(3);
  for (let count = 0; count < 50; count++) buildCachedResponseSync(200, 'text/html', page);
  // What survives two collections of the young space is promoted.
  for (let count = 0; count < 3; count++) collect({ type: 'minor' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 12 * 1_024);
});

const LENGTH = 10_000;
const responseOf = (name: string) =>
  buildCachedResponseSync(200, 'text/html', name.repeat(LENGTH / name.length));

it('uncompresses a body once for as long as it is requested', () => {
  const bodies = createIdentityBodies(100_000);
  const response = responseOf('one ');
  const body = bodies.get(response);
  expect(body.toString()).toBe('one '.repeat(LENGTH / 4));
  expect(bodies.get(response)).toBe(body);
});

it('shares one body among responses of the same bytes', () => {
  const bodies = createIdentityBodies(100_000);
  expect(bodies.get(responseOf('one '))).toBe(bodies.get(responseOf('one ')));
});

it('keeps the most recently requested bodies within its bound, and counts them', () => {
  const bodies = createIdentityBodies(3 * LENGTH);
  const responses = ['aa', 'bb', 'cc', 'dd'].map(responseOf);
  const [first, second] = responses.map((response) => bodies.get(response));
  expect(bodies.bytes).toBeGreaterThan(2 * LENGTH);
  expect(bodies.bytes).toBeLessThanOrEqual(3 * LENGTH);
  for (const response of responses.slice(0, 2)) {
    const again = bodies.get(response);
    expect(again).not.toBe(response === responses[0] ? first : second);
    expect(again.toString()).toBe((response === responses[0] ? first : second)?.toString());
  }
});

it('returns what is larger than its bound without keeping it', () => {
  const bodies = createIdentityBodies(LENGTH);
  expect(bodies.get(responseOf('one ')).length).toBe(LENGTH);
  expect(bodies.bytes).toBe(0);
});
