import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run unused`: finds files, exports and dependencies that nothing uses, by knip (`knip.json`). It is installed apart
 * from the project's packages, from a lock file of its own, because it needs an older TypeScript.
 */

const root = join(import.meta.dirname, '../..');
/** `npm ci` empties it with the rest of `node_modules`. */
const folder = join(root, 'node_modules/.cache/unused');
const knip = join(folder, 'node_modules/knip/bin/knip.js');

if (!existsSync(knip)) {
  cpSync(join(import.meta.dirname, 'unused'), folder, { recursive: true });
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`knip could not be installed:\n${stderr}`);
}
const { status } = spawnSync(process.execPath, [knip], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
