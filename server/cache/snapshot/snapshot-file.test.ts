import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSnapshotFile, writeSnapshotFile } from './snapshot-file.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'snapshot-file-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

it.each([1, 50, 51, 5_000])('reads back %i lines', async (count) => {
  const file = join(dir, 'lines');
  await writeSnapshotFile(file, linesOf(count));
  expect(await readSnapshotFile(file)).toEqual(linesOf(count));
  expect(await readdir(dir)).toEqual(['lines']);
});

// An error of a stream that nobody listens to would end the process: vitest reports it.
it.each([1, 50, 51, 5_000])('rejects, and nothing else, where %i lines cannot be written', async (count) => {
  await writeFile(join(dir, 'file'), '');
  await expect(writeSnapshotFile(join(dir, 'file', 'lines'), linesOf(count))).rejects.toThrow('EEXIST');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await readdir(dir)).toEqual(['file']);
});

it('rejects where a line cannot be made', async () => {
  function* failing(): Generator<string> {
    yield 'line';
    throw new Error('no more');
  }
  await expect(writeSnapshotFile(join(dir, 'lines'), failing())).rejects.toThrow('no more');
  expect(await readdir(dir)).toEqual([]);
});
