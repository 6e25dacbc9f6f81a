import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { postSummary } from '../../../tests/fixtures/post-summary.ts';
import { openPostArchive } from './archive-snapshot.ts';
import type { ArchiveSource } from './post-archive.ts';

let dir: string;
let clock: number;
let wall: number;
let asked: number;
let slugs: string[] | null;
let warnings: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'archive-'));
  [clock, wall, asked] = [0, 1_800_000_000_000, 0];
  slugs = null;
  warnings = [];
});

afterEach(() => rm(dir, { recursive: true, force: true }));

const source: ArchiveSource = {
  categories: async () => ['news'],
  async page(category, page) {
    asked++;
    if (slugs) return { posts: slugs.map((slug) => postSummary({ category, slug })), totalPages: 1 };
    const undated = postSummary({ category, slug: 'größe “x”', publishedAt: null });
    return { posts: [postSummary({ category, slug: `n${page}` }), undated], totalPages: 1 };
  },
};

const open = (version = 'one', into = dir) =>
  openPostArchive({
    source,
    dir: into,
    version,
    clock: () => clock,
    wallClock: () => wall,
    pause: async (_ms, signal) => signal.throwIfAborted(),
    logger: { warn: (_about, message) => void warnings.push(message) },
  });

/** Of a process that has walked. */
async function walked(into = dir) {
  const opened = await open('one', into);
  opened.archive.walkIfDue();
  await opened.archive.idle();
  return opened;
}

it('the archive of posts comes back after a restart as it was', async () => {
  const before = await walked();
  await before.save();
  const after = await open();
  expect(after.archive.posts()).toMatchObject([
    { path: '/news/n1', publishedAt: '2026-01-05T10:20:30.000Z', category: 'news' },
    { path: '/news/gr%C3%B6%C3%9Fe%20%E2%80%9Cx%E2%80%9D', publishedAt: null, category: 'news' },
  ]);
  expect(after.archive.posts()).toHaveLength(2);
  expect(warnings).toEqual([]);
});

it('a restart does not repeat a walk before its time, whatever became of the wall clock', async () => {
  await (await walked()).save();
  for (const [elapsed, walks] of [
    [60_000, 0],
    [-86_400_000, 0],
    [3_600_000, 1],
  ] as const) {
    asked = 0;
    clock = 5_000_000;
    wall += elapsed;
    const { archive } = await open();
    archive.walkIfDue();
    await archive.idle();
    expect(asked).toBe(walks);
    wall -= elapsed;
  }
});

it('a walk after a restart takes away what is no longer there', async () => {
  await (await walked()).save();
  const { archive } = await open();
  clock += 3_600_000;
  slugs = ['n2'];
  archive.walkIfDue();
  await archive.idle();
  expect(archive.posts().map(({ path }) => path)).toEqual(['/news/n2']);
});

it('is written only where it is another one', async () => {
  const { save } = await walked();
  await save();
  await rm(join(dir, 'post-archive.snapshot'));
  await save();
  expect((await open()).archive.posts()).toEqual([]);
});

it.each(['another version', 'a damaged file'])('%s is ignored with one line', async (why) => {
  await (await walked()).save();
  if (why === 'a damaged file') await writeFile(join(dir, 'post-archive.snapshot'), 'not a snapshot');
  const { archive } = await open(why === 'another version' ? 'two' : 'one');
  expect(archive.posts()).toEqual([]);
  expect(warnings).toEqual(['the snapshot was ignored']);
});

it('a disk that takes nothing costs a line, and nothing else', async () => {
  const file = join(dir, 'a-file');
  await writeFile(file, '');
  const { archive, save } = await walked(file);
  await save();
  expect(archive.posts()).toHaveLength(2);
  expect(warnings.at(-1)).toBe('the snapshot could not be written');
});

it('a walk ends with the server, without a call more', async () => {
  const opened = await open();
  opened.archive.walkIfDue();
  opened.stop();
  await opened.archive.idle();
  expect(asked).toBe(0);
  expect(opened.archive.posts()).toEqual([]);
});
