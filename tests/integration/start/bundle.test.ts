import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DIGEST_FILE, sourceDigest } from '#tools/source-digest.js';

const root = join(import.meta.dirname, '../../..');
let dir: string;

/** A project of a few files whose sources and whose bundle say which of them was started. */
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bundle-'));
  for (const folder of ['server', 'shared', 'demo', 'tools', 'wordpress', 'dist/server'])
    mkdirSync(join(dir, folder), { recursive: true });
  for (const file of ['server/start.js', 'tools/source-digest.js']) cpSync(join(root, file), join(dir, file));
  write('package.json', '{"type": "module"}');
  write('package-lock.json', '{}');
  write('vite.config.ts', '');
  write('shared/site.ts', 'export const name = 1;');
  write('server/main.ts', "console.log('sources');");
  write('dist/server/main.js', "console.log('bundle');");
  write(DIGEST_FILE, sourceDigest(dir));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = (file: string, text: string) => writeFileSync(join(dir, file), text);

/** Returns what `npm start` starts. */
function started(): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(dir, 'server/start.js')], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim();
}

describe('npm start', () => {
  it('runs the bundle of these sources, whatever their times', () => {
    write('server/main.ts', "console.log('sources');");
    expect(started()).toBe('bundle');
  });

  it.each([
    ['server/main.ts', "console.log('sources'); // edited"],
    ['shared/site.ts', '/* edited */'],
    ['demo/start.ts', '/* edited */'],
    ['package.json', '{"type": "module", "version": "2.0.0"}'],
    ['package-lock.json', '/* edited */'],
    ['vite.config.ts', '/* edited */'],
  ])('runs the sources where %s is another than at the build', (file, text) => {
    write(file, text);
    expect(started()).toBe('sources');
  });

  it('runs the sources where one was deleted, or there is no build', () => {
    rmSync(join(dir, 'shared/site.ts'));
    expect(started()).toBe('sources');
    rmSync(join(dir, 'dist'), { recursive: true });
    expect(started()).toBe('sources');
  });

  it('does not mind tests', () => {
    write('server/main.test.ts', 'expect(1).toBe(2);');
    expect(started()).toBe('bundle');
  });

  it('runs the bundle where there are no sources, as in a container', () => {
    for (const file of ['server/main.ts', 'shared', 'demo', 'vite.config.ts'])
      rmSync(join(dir, file), { recursive: true });
    expect(started()).toBe('bundle');
  });
});
