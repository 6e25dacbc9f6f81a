import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from './create-folder.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'create-folder-'));
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
  const script = `import { createFolder } from ${JSON.stringify(import.meta.resolve('./create-folder.ts'))}; createFolder('/proc/none/below');`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(stderr).toContain('ENOENT');
  expect(status).toBe(1);
});
