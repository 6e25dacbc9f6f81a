import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readIfExists, removeAbandonedDrafts, replaceFile } from './replace-file.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'replace-file-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function* failing(): AsyncGenerator<Buffer> {
  yield Buffer.from('half');
  throw new Error('no more');
}

it('replaces a file, readable by its owner alone, and leaves nothing else', async () => {
  const path = join(dir, 'new/file');
  await replaceFile(path, 'old');
  await replaceFile(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(dir, 'new'))).toEqual(['file']);
});

it('keeps the old file, and leaves nothing else, where the content fails', async () => {
  const path = join(dir, 'file');
  await replaceFile(path, 'old');
  await expect(replaceFile(path, failing())).rejects.toThrow('no more');
  expect((await readIfExists(path))?.toString()).toBe('old');
  expect(await readdir(dir)).toEqual(['file']);
});

it('reads null where there is no file, and rejects where it cannot read', async () => {
  expect(await readIfExists(join(dir, 'none'))).toBeNull();
  await expect(readIfExists(dir)).rejects.toThrow('EISDIR');
});

it('removes what killed processes have left, and nothing that another may still write', async () => {
  const now = Date.now();
  const written = async (name: string, at: number) => {
    await writeFile(join(dir, name), '');
    await utimes(join(dir, name), at / 1000, at / 1000);
  };
  await written('content-cache.snapshot', now - 3_600_000);
  await written('content-cache.snapshot.4711.tmp', now - 61_000);
  await written('content-cache.snapshot.5f0c2c52-9d1c-4c0b-a3a5-0d2b3e8f9a11.tmp', now - 61_000);
  await written('content-cache.snapshot.7d1a1e6a-52f6-4a57-8b8c-5c3f6f0a9e22.tmp', now - 5_000);
  await removeAbandonedDrafts(dir, now);
  await removeAbandonedDrafts(join(dir, 'none'), now);
  expect(await readdir(dir)).toEqual([
    'content-cache.snapshot',
    'content-cache.snapshot.7d1a1e6a-52f6-4a57-8b8c-5c3f6f0a9e22.tmp',
  ]);
});
