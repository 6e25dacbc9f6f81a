import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a build keeps the digest of what it was made of. */
export const DIGEST_FILE = 'dist/server/sources.sha256';

const FOLDERS = ['demo', 'server', 'shared', 'tools', 'wordpress'];
const FILES = ['package.json', 'package-lock.json', 'vite.config.ts'];
const SOURCE = /(?<!\.test)\.[jt]s$/;

/**
 * Returns the SHA-256 digest of all that the server's bundle is made of, in hexadecimal: names and contents, because the
 * times of files do not survive every way of copying them. In JavaScript, because `start.js` needs it.
 *
 * @param {string} root The project's folder.
 */
export function sourceDigest(root) {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => SOURCE.test(name))
      .map((name) => join(folder, name)),
  );
  const digest = createHash('sha256');
  for (const file of [...FILES, ...sources.sort()])
    digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  return digest.digest('hex');
}
