import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSharedAssets, type SharedAssets } from './shared-assets.ts';

let dir: string;
let folder: string;
let now: number;
let warnings: string[];
let opened: SharedAssets[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shared-assets-'));
  folder = join(dir, 'builds');
  now = 0;
  warnings = [];
  opened = [];
});
afterEach(async () => {
  for (const assets of opened) assets.close();
  vi.useRealTimers();
  await rm(dir, { recursive: true, force: true });
});

/** Opens the assets of a build with one file. */
async function openBuild(name: string): Promise<SharedAssets> {
  const clientDir = join(dir, name);
  await mkdir(join(clientDir, '.vite'), { recursive: true });
  await mkdir(join(clientDir, 'assets'), { recursive: true });
  await writeFile(join(clientDir, '.vite/manifest.json'), name);
  await writeFile(join(clientDir, 'assets', `${name}.js`), `// ${name}`);
  const assets = await openSharedAssets({
    clientDir,
    folder,
    clock: () => now,
    wait: async (ms) => {
      now += ms;
    },
    logger: { warn: (_about, message) => void warnings.push(message) },
  });
  opened.push(assets);
  return assets;
}

/** Opens a build and stores it, `day` days after the first. */
async function startBuild(name: string, day: number): Promise<SharedAssets> {
  const assets = await openBuild(name);
  const before = new Set(await readdir(folder).catch(() => []));
  await assets.store();
  const at = new Date(Date.UTC(2026, 0, 1 + day));
  for (const added of await readdir(folder).catch(() => []))
    if (!before.has(added)) await utimes(join(folder, added), at, at);
  return assets;
}

it('finds the files of an earlier build, and of one that is stored later', async () => {
  await startBuild('one', 1);
  const two = await startBuild('two', 2);
  expect(await readFile(join(String(await two.folderOf('one.js')), 'one.js'), 'utf8')).toBe('// one');
  expect(await two.folderOf('three.js')).toBeNull();
  await startBuild('three', 3);
  now += 1_000;
  expect(await readFile(join(String(await two.folderOf('three.js')), 'three.js'), 'utf8')).toBe('// three');
});

it('looks again for a missing file no sooner than a quarter of a second later', async () => {
  const one = await startBuild('one', 1);
  await startBuild('two', 2);
  const two = join(folder, basename(String(await one.folderOf('two.js'))));
  await rename(two, join(dir, 'two-for-later'));
  const again = await openBuild('one');
  expect(await again.folderOf('two.js')).toBeNull();
  await rename(join(dir, 'two-for-later'), two);
  now += 249;
  expect(await again.folderOf('two.js')).toBeNull();
  now += 1;
  expect(await again.folderOf('two.js')).not.toBeNull();
});

it('resolves a store only when no instance still remembers that the files were missing', async () => {
  const one = await startBuild('one', 1);
  expect(await one.folderOf('two.js')).toBeNull();
  await (await openBuild('two')).store();
  expect(await one.folderOf('two.js')).not.toBeNull();
});

it.each(['../one/.vite/manifest.json', '..', '.', '', 'sub/../one.js', './one.js', '%6Fne.js'])(
  'has no file of the name "%s"',
  async (name) => {
    await startBuild('one', 1);
    expect(await (await startBuild('two', 2)).folderOf(name)).toBeNull();
  },
);

it('is not its own other build', async () => {
  await startBuild('one', 1);
  expect(await (await startBuild('one', 2)).folderOf('one.js')).toBeNull();
});

it('keeps four builds beside its own, those that ran last', async () => {
  for (const [day, name] of ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].entries())
    await startBuild(name, day);
  expect(await readdir(folder)).toHaveLength(5);
  const seven = await startBuild('seven', 8);
  expect(await seven.folderOf('two.js')).toBeNull();
  expect(await seven.folderOf('three.js')).not.toBeNull();
});

it('keeps a build that runs, however many came after it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await startBuild('stable', -365);
  const [stable = ''] = await readdir(folder);
  vi.advanceTimersByTime(3_600_000);
  const changedAt = async () => (await stat(join(folder, stable))).mtimeMs;
  await expect.poll(changedAt).toBeGreaterThan(Date.UTC(2026, 0, 1));
  for (const [day, name] of ['one', 'two', 'three', 'four', 'five'].entries())
    await startBuild(name, day - 300);
  expect(await readdir(folder)).toContain(stable);
});

it('is stored once by instances that start together, and leaves no temporary folder', async () => {
  // One after the other: each writes the files of the build that the next one reads.
  const same = [await openBuild('one'), await openBuild('one'), await openBuild('one')];
  await Promise.all(same.map((assets) => assets.store()));
  expect(await readdir(folder)).toHaveLength(1);
  expect(warnings).toEqual([]);
});

it('deletes what a process that died left, and nothing that is being filled', async () => {
  const [died, fills] = ['a', 'b'].map(
    (id) => `0123456789abcdef.${id}0000000-0000-4000-8000-000000000000.tmp`,
  );
  for (const name of [String(died), String(fills)]) await mkdir(join(folder, name), { recursive: true });
  await utimes(join(folder, String(died)), 0, 0);
  await startBuild('one', 1);
  const left = await readdir(folder);
  expect(left).not.toContain(died);
  expect(left).toContain(fills);
});

it('does without other builds where the folder cannot be written', async () => {
  await writeFile(folder, '');
  const one = await startBuild('one', 1);
  expect(await one.folderOf('two.js')).toBeNull();
  expect(warnings).toEqual(['the assets of this build could not be stored for other builds']);
  expect(basename(dir)).toMatch(/^shared-assets-/);
});
