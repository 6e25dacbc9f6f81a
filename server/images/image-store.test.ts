import { mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openImageStore } from './image-store.ts';

const KB = 1024;
let dir: string;
let now: number;
let warnings: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'images-'));
  now = Date.now();
  warnings = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function open(maxBytes = 100 * KB, folder = dir) {
  return openImageStore({
    dir: folder,
    maxBytes,
    wallClock: () => now,
    logger: { warn: (_fields, message) => warnings.push(message) },
  });
}

function image(bytes: Buffer = Buffer.alloc(7_000, 1)) {
  return {
    bytes,
    type: 'image/webp',
    etag: '"one"',
    original: { etag: '"o"', lastModified: null },
    validatedAt: now,
  };
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
    expect(await open().read('key')).toEqual({ ...written, validatedAt: expect.closeTo(now, -1) });
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

  it('is as old as its last validation', async () => {
    const store = open();
    await store.write('key', { ...image(), validatedAt: now - 5_000_000 });
    expect((await store.read('key'))?.validatedAt).toBeCloseTo(now - 5_000_000, -1);
    await store.validated('key');
    expect((await store.read('key'))?.validatedAt).toBeCloseTo(now, -1);
  });

  it('is not there once it is deleted', async () => {
    const store = open();
    await store.write('key', image());
    await store.delete('key');
    expect(await store.read('key')).toBeNull();
    expect(store.size()).toBe(0);
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
  it('stays within its bound, and loses what was not read for longest', async () => {
    const store = open(40 * KB);
    for (const key of ['a', 'b', 'c', 'd', 'e']) await store.write(key, image());
    await store.read('a');
    await store.write('f', image());
    await expect.poll(bytesOnDisk).toBeLessThanOrEqual(40 * KB);
    expect(store.size()).toBeLessThanOrEqual(40 * KB);
    const kept = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(async (key) => (await store.read(key)) !== null),
    );
    expect(kept).toEqual([true, false, true, true, true, true]);
  });

  it('holds nothing that is larger than its bound', async () => {
    const store = open(4 * KB);
    await store.write('key', image());
    expect(await readdir(dir)).toEqual([]);
    expect(store.size()).toBe(0);
  });

  it('is read at the start: its size counts, and the order of the last validations', async () => {
    const before = open();
    for (const key of ['a', 'b', 'c']) {
      await before.write(key, image());
      now += 7_200_000;
    }
    await before.validated('a');
    const after = open(24 * KB);
    await after.ready;
    expect(after.size()).toBe(24 * KB);
    await after.write('d', image());
    await expect.poll(() => after.read('b')).toBeNull();
    expect(await after.read('a')).not.toBeNull();
  });

  it('shrinks at the start when its bound has', async () => {
    const before = open();
    for (const key of ['a', 'b', 'c', 'd']) await before.write(key, image());
    const after = open(16 * KB);
    await after.ready;
    await expect.poll(bytesOnDisk).toBeLessThanOrEqual(16 * KB);
  });

  it('is swept of what a killed process left half written', async () => {
    await writeFile(join(dir, 'picture.old.tmp'), 'half');
    await utimes(join(dir, 'picture.old.tmp'), new Date(now - 120_000), new Date(now - 120_000));
    await writeFile(join(dir, 'picture.young.tmp'), 'of a predecessor');
    await writeFile(join(dir, 'a-note.txt'), 'not ours');
    await mkdir(join(dir, 'x'.repeat(43)));
    const store = open();
    await store.ready;
    expect((await readdir(dir)).sort()).toEqual(['a-note.txt', 'picture.young.tmp', 'x'.repeat(43)]);
    expect(store.size()).toBe(0);
  });

  it('may be missing or full: nothing is kept, nothing fails, one line is logged', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    const store = open(100 * KB, join(file, 'images'));
    for (const key of ['a', 'b']) {
      await store.write(key, image());
      await store.validated(key);
      expect(await store.read(key)).toBeNull();
      await store.delete(key);
    }
    expect(store.size()).toBe(0);
    expect(warnings).toEqual(['pictures cannot be stored; they are served without caching']);
  });
});
