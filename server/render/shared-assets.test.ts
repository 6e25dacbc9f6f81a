import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSharedAssets, type SharedAssets } from './shared-assets.ts';

const DAY_MS = 86_400_000;

let dir: string;
let folder: string;
let warnings: string[];
let opened: (SharedAssets | null)[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shared-assets-'));
  folder = join(dir, 'missing/assets/files');
  warnings = [];
  opened = [];
});
afterEach(async () => {
  for (const assets of opened) await assets?.close();
  vi.useRealTimers();
  await rm(dir, { recursive: true, force: true });
});

/** Writes a build with one file. Returns its folder. */
async function writeBuild(name: string): Promise<string> {
  const clientDir = join(dir, name);
  await mkdir(join(clientDir, 'assets'), { recursive: true });
  await writeFile(join(clientDir, 'assets', `${name}.js`), `// ${name}`);
  return clientDir;
}

function open(clientDir: string): SharedAssets | null {
  const logger = { warn: (_about: object, message: string) => void warnings.push(message) };
  const assets = openSharedAssets({ clientDir, folder: join(folder, '..'), logger });
  opened.push(assets);
  return assets;
}

async function storeBuild(name: string): Promise<void> {
  await open(await writeBuild(name))?.stored;
}

/** Makes a file as old as if nobody had updated it for so many days. */
async function age(file: string, days: number): Promise<void> {
  const at = new Date(Date.now() - days * DAY_MS);
  await utimes(join(folder, file), at, at);
}

it('holds the files of each build', async () => {
  await storeBuild('one');
  await storeBuild('two');
  expect(await readFile(join(folder, 'one.js'), 'utf8')).toBe('// one');
  expect(await readFile(join(folder, 'two.js'), 'utf8')).toBe('// two');
  expect(warnings).toEqual([]);
});

it('keeps files of other builds for a week after the build last ran', async () => {
  await storeBuild('one');
  await storeBuild('two');
  await age('one.js', 8);
  await age('two.js', 6);
  await storeBuild('three');
  expect((await readdir(folder)).sort()).toEqual(['three.js', 'two.js']);
});

it('keeps the files of a build that runs, however many come after it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await storeBuild('stable');
  await age('stable.js', 8);
  vi.advanceTimersByTime(3_600_000);
  const changedAt = async () => (await stat(join(folder, 'stable.js'))).mtimeMs;
  await expect.poll(changedAt, { timeout: 10_000 }).toBeGreaterThan(Date.now() - DAY_MS);
  await storeBuild('next');
  expect(await readdir(folder)).toContain('stable.js');
});

it('is stored once by instances that start together, and leaves no temporary file', async () => {
  const clientDir = await writeBuild('one');
  const same = [open(clientDir), open(clientDir), open(clientDir)];
  await Promise.all(same.map((assets) => assets?.stored));
  expect(await readdir(folder)).toEqual(['one.js']);
  expect(warnings).toEqual([]);
});

it('deletes what a process that died left, and nothing that is being written', async () => {
  await storeBuild('one');
  for (const name of ['died.tmp', 'written.tmp']) await writeFile(join(folder, name), '');
  await age('died.tmp', 8);
  await storeBuild('one');
  expect((await readdir(folder)).sort()).toEqual(['one.js', 'written.tmp']);
});

it('neither serves nor deletes what else lies in the folder', async () => {
  await storeBuild('one');
  const other = join(folder, '../other.js');
  await writeFile(other, '');
  await age('../other.js', 8);
  const assets = open(await writeBuild('two'));
  await assets?.stored;
  expect(assets?.folder).toBe(folder);
  await expect(stat(other)).resolves.toBeDefined();
});

it('is not there where the folder cannot be made', async () => {
  await writeFile(join(dir, 'missing'), '');
  expect(open(await writeBuild('one'))).toBeNull();
  expect(warnings).toEqual(['the assets of this build could not be stored for other builds']);
});
