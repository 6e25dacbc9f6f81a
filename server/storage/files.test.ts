import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder, readIfExists, replaceFile } from './files.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'files-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('creates a folder with its parents, and leaves one that exists', () => {
  const folder = join(dir, 'a/b/c');
  createFolder(folder);
  createFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

it.runIf(process.platform !== 'win32')('creates it for its owner alone, unless told otherwise', () => {
  const modeOf = (folder: string) => statSync(folder).mode & 0o777;
  createFolder(join(dir, 'own/below'));
  expect([modeOf(join(dir, 'own')), modeOf(join(dir, 'own/below'))]).toEqual([0o700, 0o700]);
  createFolder(join(dir, 'shared'), 0o755);
  expect(modeOf(join(dir, 'shared'))).toBe(0o755);
});

it('throws where a file is in the way', () => {
  writeFileSync(join(dir, 'file'), '');
  expect(() => createFolder(join(dir, 'file'))).toThrow('EEXIST');
  expect(() => createFolder(join(dir, 'file/below'))).toThrow('ENOTDIR');
});

// In a process of its own: a call that never returns would hold up the test's timeout as well.
it.runIf(process.platform === 'linux')('throws below /proc, where there can be no folder', () => {
  const script = `import { createFolder } from ${JSON.stringify(import.meta.resolve('./files.ts'))}; createFolder('/proc/none/below');`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(stderr).toContain('ENOENT');
  expect(status).toBe(1);
});

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
  await replaceFile(join(dir, 'file'), 'text');
  expect(await readIfExists(join(dir, 'file', 'below'))).toBeNull();
  await expect(readIfExists(dir)).rejects.toThrow('EISDIR');
});

it('writes over what a killed process has left', async () => {
  const path = join(dir, 'file');
  await writeFile(`${path}.tmp`, 'half of a longer one');
  await replaceFile(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await readdir(dir)).toEqual(['file']);
});
