import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readJsonLines, writeJsonLines } from './gzipped-json-lines.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gzipped-json-lines-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function read(file: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const line of readJsonLines(file)) values.push(JSON.parse(line));
  return values;
}

const LARGE = 'x'.repeat(1_000_000);

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));

it.each([1, 50, 51, 5_000])('reads back %i lines', async (count) => {
  const file = join(dir, 'lines');
  await writeJsonLines(file, linesOf(count));
  expect(await read(file)).toEqual(linesOf(count));
  expect(await readdir(dir)).toEqual(['lines']);
});

// An error of a stream that nobody listens to would end the process: vitest reports it.
it.each([1, 50, 51, 5_000])('rejects, and nothing else, where %i lines cannot be written', async (count) => {
  await writeFile(join(dir, 'file'), '');
  await expect(writeJsonLines(join(dir, 'file', 'lines'), linesOf(count))).rejects.toThrow('EEXIST');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await readdir(dir)).toEqual(['file']);
});

it('rejects where a line cannot be made', async () => {
  function* failing() {
    yield {};
    throw new Error('no more');
  }
  await expect(writeJsonLines(join(dir, 'lines'), failing())).rejects.toThrow('no more');
  expect(await readdir(dir)).toEqual([]);
});

it('writes what comes first, 64 MiB of text and the rest of its line', async () => {
  const file = join(dir, 'lines');
  function* endless() {
    for (let index = 0; index < 1_000; index++) yield { index, text: LARGE };
  }
  await writeJsonLines(file, endless());
  expect(await read(file)).toHaveLength(68);
});

it('reads back a large value as it was', async () => {
  const file = join(dir, 'lines');
  const value = {
    html: '<p title="a\\b">“größe” 𝒜\n</p>'.repeat(20_000),
    halves: `\u{1F600}${'x'.repeat(32 * 1024 - 2)}`.repeat(8),
    lists: [[], {}, [1, [true, null]], { none: undefined, empty: '' }],
    'a "name"': -0.5,
  };
  await writeJsonLines(file, [value, { last: true }]);
  expect(await read(file)).toEqual([JSON.parse(JSON.stringify(value)), { last: true }]);
});

it('yields to the event loop after each 32 KiB of lines', async () => {
  const observed = setTurnCounter();
  const lines = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(32 * 1024) }));
  await writeJsonLines(join(dir, 'lines'), lines);
  expect(observed()).toBeGreaterThan(100);
});

/** Counts turns of the event loop until the returned function is called, which returns their number. */
function setTurnCounter(): () => number {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    isOver = true;
    return turns;
  };
}
