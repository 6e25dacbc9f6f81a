import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../tests/fixtures/clocks.ts';
import { type ImageStore, openImageStore } from './image-store.ts';

const KB = 1024;
const DAY_S = 86_400;
let dir: string;
let clock: FakeClock;
let warnings: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'images-'));
  clock = fakeClock({ now: Date.now() });
  warnings = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function open(maxBytes = 100 * KB, folder = dir) {
  return openImageStore({
    dir: folder,
    maxBytes,
    clock,
    logger: { warn: (_fields, message) => warnings.push(message) },
  });
}

function image(bytes: Buffer = Buffer.alloc(7_000, 1)) {
  return {
    bytes,
    type: 'image/webp',
    etag: '"one"',
    madeAt: clock.wallMs,
  };
}

/** Makes a picture's file older. */
async function age(key: string, seconds: number): Promise<void> {
  const name = createHash('sha256').update(key).digest('base64url');
  await utimes(join(dir, name), clock.wallMs / 1_000, clock.wallMs / 1_000 - seconds);
}

async function kept(store: ImageStore, keys: string[]): Promise<string[]> {
  const found = await Promise.all(keys.map((key) => store.read(key)));
  return keys.filter((_key, place) => found[place] !== null);
}

async function bytesOnDisk(): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(dir)).map(async (name) => (await stat(join(dir, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('a stored picture', () => {
  it('is read as it was written, also by the next process', async () => {
    const written = image(Buffer.from('\n{"bytes": with\nlines}'));
    await open().write('key', written);
    expect(await open().read('key')).toEqual(written);
    expect(await open().read('other')).toBeNull();
  });

  it('is whole when the store is closed while it is written, and nothing is written after that', async () => {
    const store = open();
    const written = store.write('key', image());
    await store.close();
    const names = await readdir(dir);
    await Promise.all([written, store.write('later', image())]);
    expect(await readdir(dir)).toEqual(names);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is not there once it is deleted', async () => {
    const store = open();
    await store.write('key', image());
    await store.delete('key');
    expect(await store.read('key')).toBeNull();
    expect(await readdir(dir)).toEqual([]);
  });

  it('is not read where its file is cut or foreign', async () => {
    const store = open();
    await store.write('key', image());
    const [name = ''] = await readdir(dir);
    await truncate(join(dir, name), 3_000);
    expect(await store.read('key')).toBeNull();
    for (const text of ['', '\n', '{}\n', 'no header']) {
      await writeFile(join(dir, name), text);
      expect(await store.read('key')).toBeNull();
    }
    await store.write('key', image());
    expect(await store.read('key')).not.toBeNull();
  });
});

describe('the folder', () => {
  it('stays within its bound, and loses what was made longest ago', async () => {
    const store = open(40 * KB);
    for (const [place, key] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      await store.write(key, image());
      await age(key, 600 - place);
    }
    expect(await bytesOnDisk()).toBeLessThanOrEqual(40 * KB);
    expect(await kept(store, ['a', 'b', 'c', 'd', 'e', 'f'])).toEqual(['c', 'd', 'e', 'f']);
  });

  it('holds nothing that is larger than its bound', async () => {
    const store = open(4 * KB);
    await store.write('key', image());
    expect(await readdir(dir)).toEqual([]);
  });

  it('counts what earlier processes have written', async () => {
    const before = open();
    for (const key of ['a', 'b', 'c']) {
      await before.write(key, image());
      await age(key, 60);
    }
    const after = open(24 * KB);
    await after.write('d', image());
    expect(await bytesOnDisk()).toBeLessThanOrEqual(24 * KB);
    expect(await after.read('d')).not.toBeNull();
  });

  it('shrinks at the start when its bound has', async () => {
    const before = open();
    for (const key of ['a', 'b', 'c', 'd']) await before.write(key, image());
    await open(16 * KB).close();
    expect(await bytesOnDisk()).toBeLessThanOrEqual(16 * KB);
  });

  it('loses what is older than 30 days, once a day', async () => {
    const store = open();
    for (const key of ['old', 'young']) await store.write(key, image());
    await age('old', 29.5 * DAY_S);
    clock.wallMs += DAY_S * 1_000 - 1;
    await store.write('other', image());
    expect(await kept(store, ['old', 'young'])).toEqual(['old', 'young']);
    clock.wallMs += 2;
    await store.write('other', image());
    expect(await kept(store, ['old', 'young'])).toEqual(['young']);
  });

  it('is swept of what a killed process left half written, as of a picture', async () => {
    const left = join(dir, `${'p'.repeat(43)}.tmp`);
    await writeFile(left, 'half');
    const long = new Date(clock.wallMs - 31 * DAY_S * 1_000);
    await utimes(left, long, long);
    await writeFile(join(dir, 'a-note.txt'), 'not ours');
    await mkdir(join(dir, 'x'.repeat(43)));
    await open().close();
    expect((await readdir(dir)).sort()).toEqual(['a-note.txt', 'x'.repeat(43)]);
  });

  it('may be missing or full: nothing is kept, nothing fails, one line is logged', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    const store = open(100 * KB, join(file, 'images'));
    for (const key of ['a', 'b']) {
      await store.write(key, image());
      expect(await store.read(key)).toBeNull();
      await store.delete(key);
    }
    expect(warnings).toEqual(['pictures cannot be stored; they are served without caching']);
  });
});
