import { appendFile, cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from './server-process.ts';

const root = join(import.meta.dirname, '../..');

const COPIED = [
  'client',
  'server',
  'shared',
  'demo',
  'docs/operating',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
];

/** What the next version has besides: scripts and style sheet get other hashes. */
const CHANGES = [
  ['client/entry-client.tsx', "performance.mark('next version');\n"],
  ['client/pages/article/article-page.tsx', "performance.mark('next version: article');\n"],
  ['client/styles/base.css', ':root { --next-version: 1; }\n'],
] as const;

/** Builds the project's next version in `dir`, with some files changed. Resolves to its folder. */
export async function buildNextVersion(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  for (const name of COPIED) await cp(join(root, name), join(dir, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
  for (const [path, text] of CHANGES) await appendFile(join(dir, path), text);
  const build = startProcess(['server/build.ts'], {}, dir);
  if ((await build.ended) !== 0) throw new Error(`the next version was not built:\n${build.log.join('\n')}`);
  return dir;
}
