import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPreviousAssets } from './previous-assets.ts';

let dir: string;
let warnings: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'previous-assets-'));
  warnings = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const logger = { warn: (_about: object, message: string) => void warnings.push(message) };

/** A build with one file, started once, `day` days after the first. */
async function startBuild(name: string, day: number, folder = join(dir, 'builds')): Promise<string[]> {
  const clientDir = join(dir, name);
  await mkdir(join(clientDir, '.vite'), { recursive: true });
  await mkdir(join(clientDir, 'assets'), { recursive: true });
  await writeFile(join(clientDir, '.vite/manifest.json'), name);
  await writeFile(join(clientDir, 'assets', `${name}.js`), `// ${name}`);
  const before = new Set(await readdir(folder).catch(() => []));
  const previousAssets = await openPreviousAssets({ clientDir, folder, logger });
  await previousAssets.store();
  const at = new Date(Date.UTC(2026, 0, 1 + day));
  for (const added of await readdir(folder).catch(() => []))
    if (!before.has(added)) await utimes(join(folder, added), at, at);
  return previousAssets.folders;
}

it('has the files of the last two builds before this one, the latest first', async () => {
  expect(await startBuild('one', 1)).toEqual([]);
  expect(await startBuild('two', 2)).toHaveLength(1);
  await startBuild('three', 3);
  const folders = await startBuild('four', 4);
  const files = await Promise.all(folders.map((folder) => readdir(folder)));
  expect(files).toEqual([['three.js'], ['two.js']]);
  expect(await readFile(join(folders[0] ?? '', 'three.js'), 'utf8')).toBe('// three');
});

it('deletes builds that it does not serve', async () => {
  for (const [day, name] of ['one', 'two', 'three', 'four', 'five'].entries()) await startBuild(name, day);
  expect(await readdir(join(dir, 'builds'))).toHaveLength(3);
});

it('does not take this build for a previous one', async () => {
  await startBuild('one', 1);
  expect(await startBuild('one', 2)).toEqual([]);
});

it('does without previous assets where the folder cannot be written', async () => {
  await writeFile(join(dir, 'no-folder'), '');
  expect(await startBuild('one', 1, join(dir, 'no-folder'))).toEqual([]);
  expect(warnings).toEqual(['the assets of this build could not be stored for later builds']);
  expect(basename(dir)).toMatch(/^previous-assets-/);
});
