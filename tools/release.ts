import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm run release -- 1.3.0`: dates the section Unreleased of the changelog, sets the version of the package, commits both
 * and tags the commit `v1.3.0`. Pushes nothing. Exit code 1 where the version is none, the section is empty, or something is
 * not committed.
 */

const CHANGELOG = 'CHANGELOG.md';
/** Semantic Versioning, without build metadata. */
const VERSION = /^\d+\.\d+\.\d+(-[\da-z.-]+)?$/i;
const UNRELEASED = /^## \[Unreleased\]\n+(?=### )/m;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

const [version = ''] = process.argv.slice(2);
if (!VERSION.test(version)) fail('usage: npm run release -- 1.3.0');
if (run('git', 'status', '--porcelain') !== '') fail('commit first: only what is committed is released');
const changes = readFileSync(CHANGELOG, 'utf8');
if (!UNRELEASED.test(changes)) fail(`${CHANGELOG} has nothing under [Unreleased]`);

const day = new Date().toISOString().slice(0, 10);
writeFileSync(CHANGELOG, changes.replace(UNRELEASED, `## [Unreleased]\n\n## [${version}] - ${day}\n\n`));
run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
run('git', 'commit', '--quiet', '--all', '--message', `Version ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
process.stdout.write(`v${version} is tagged. Push it with: git push --follow-tags\n`);
