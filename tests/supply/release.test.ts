import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const TOOL = join(import.meta.dirname, '../../tools/release.ts');
let dir: string;

function run(command: string, ...args: string[]) {
  const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: dir,
    encoding: 'utf8',
    env: { ...process.env, ...identity, ...committer },
  });
  return { status, stdout, stderr };
}
const release = (version: string) => run(process.execPath, TOOL, version);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'release-'));
  run('git', 'init', '--quiet');
  writeFileSync(join(dir, 'package.json'), '{ "name": "site", "version": "0.1.0" }\n');
  writeFileSync(
    join(dir, 'CHANGELOG.md'),
    '# Changelog\n\n## [Unreleased]\n\n### Changed\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n',
  );
  run('git', 'add', '.');
  run('git', 'commit', '--quiet', '--message', 'First');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('a release has its section of the changelog, its version and its tag', () => {
  expect(release('1.3.0')).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(join(dir, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^## \[Unreleased\]\n\n## \[1\.3\.0\] - \d{4}-\d\d-\d\d\n\n### Changed\n\n- A thing\.\n\n## \[0\.1\.0\]/m,
  );
  expect(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))).toMatchObject({ version: '1.3.0' });
  expect(run('git', 'describe', '--exact-match').stdout.trim()).toBe('v1.3.0');
  expect(run('git', 'status', '--porcelain').stdout).toBe('');
});

it('is refused without a version, without changes, and beside what is not committed', () => {
  expect(release('next').status).toBe(1);
  writeFileSync(join(dir, 'notes.txt'), '');
  expect(release('1.3.0').stderr).toContain('commit first');
  rmSync(join(dir, 'notes.txt'));
  expect(release('1.3.0').status).toBe(0);
  expect(release('1.4.0').stderr).toContain('nothing under [Unreleased]');
});
