import { appendFile, cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from './server-process.ts';

const root = join(import.meta.dirname, '../../..');

/** What the client is built from. */
const SOURCES = [
  'client',
  'shared',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  'tools/vite-plugins.ts',
];

/** What the built server runs from, besides: without its sources, as in the container image. */
const RUNS_FROM = ['dist/server', 'dist/dashboard', 'server/start.js', 'tools/source-digest.js'];

/** What the next version has besides: scripts and style sheet get other hashes. */
const CHANGES = [
  ['client/entry-client.tsx', "performance.mark('next version');\n"],
  ['client/pages/article/article-page.tsx', "performance.mark('next version: article');\n"],
  ['client/styles/base.css', ':root { --next-version: 1; }\n'],
] as const;

/**
 * Builds the project's next version in `dir`: this build with another client, which some files are changed of. The client
 * is not minified as in production, which takes most of a build's time. Resolves to the folder.
 */
export async function buildNextVersion(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  for (const name of [...SOURCES, ...RUNS_FROM])
    await cp(join(root, name), join(dir, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
  for (const [path, text] of CHANGES) await appendFile(join(dir, path), text);
  const build = startProcess(['node_modules/vite/bin/vite.js', 'build', '--minify', 'oxc'], {}, dir);
  if ((await build.ended) !== 0) throw new Error(`the next version was not built:\n${build.log.join('\n')}`);
  return dir;
}
