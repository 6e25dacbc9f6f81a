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

async function read(file: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readSnapshotFile(file)) lines.push(line);
  return lines;
}

const LARGE = 'x'.repeat(1_000_000);

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

it.each([1, 50, 51, 5_000])('reads back %i lines', async (count) => {
  const file = join(dir, 'lines');
  await writeSnapshotFile(file, linesOf(count));
  expect(await read(file)).toEqual(linesOf(count));
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

it('writes what comes first, up to 64 MiB of text', async () => {
  const file = join(dir, 'lines');
  function* endless(): Generator<string> {
    for (let index = 0; index < 1_000; index++) yield `${index} ${LARGE}`;
  }
  await writeSnapshotFile(file, endless());
  const firstOfEach = (await read(file)).map((line) => Number.parseInt(line, 10));
  expect(firstOfEach).toEqual(Array.from({ length: 67 }, (_, index) => index));
});

it('yields to the event loop after each large line', async () => {
  let turns = 0;
  const turnsBefore: number[] = [];
  const count = setInterval(() => turns++, 0);
  function* observed(): Generator<string> {
    for (let index = 0; index < 5; index++) {
      setImmediate(() => turns++);
      yield LARGE;
      turnsBefore.push(turns);
    }
  }
  await writeSnapshotFile(join(dir, 'lines'), observed());
  clearInterval(count);
  expect(new Set(turnsBefore).size).toBe(5);
});
