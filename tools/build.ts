import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { DIGEST_FILE, sourceDigest } from './source-digest.js';

/** The mode in which `vite.config.ts` builds the dashboard. */
const DASHBOARD = 'dashboard';

/** Everything in one file: a worker thread loads it, or none. */
const WHOLE = { output: { codeSplitting: false } };
/** Two files: only a render worker needs React's renderer. */
const WITHOUT_RENDERER = {
  output: {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'react-renderer', test: /node_modules\/react-dom\//, priority: 1 },
        { name: 'pages', test: /./ },
      ],
    },
  },
};

/**
 * The server's bundles: one for each thread, so that a thread reads, compiles and holds nothing that it does not use, and
 * has a compile cache of its own.
 */
const SERVER_BUNDLES = [
  { entry: 'server/main.ts', rolldownOptions: {} },
  { entry: 'server/render/render-worker.ts', rolldownOptions: WHOLE },
  { entry: 'server/article-html/body-worker.ts', rolldownOptions: WHOLE },
  { entry: 'wordpress/wordpress.ts', rolldownOptions: WHOLE },
  { entry: 'client/entry-server.tsx', rolldownOptions: WITHOUT_RENDERER },
];

/** Files that a complete build has. */
const BUILT_FILES = [
  'dist/client/.vite/manifest.json',
  ...SERVER_BUNDLES.map(({ entry }) => `dist/server/${parse(entry).name}.js`),
  'dist/dashboard/index.html',
];

/** Builds the client, the server's bundles and the operators' dashboard. Vite is imported here, because production does not install it. */
export async function buildSite(root: string): Promise<void> {
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
  const digest = sourceDigest(root);
  await rm(join(root, 'dist/server'), { recursive: true, force: true });
  for (const { entry, rolldownOptions } of SERVER_BUNDLES) {
    const license = { fileName: `${parse(entry).name}.licences.md` };
    await build({ root, logLevel: 'warn', build: { ssr: entry, license, rolldownOptions } });
  }
  await build({
    root: join(root, 'client/dashboard'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    mode: DASHBOARD,
  });
  await writeFile(join(root, DIGEST_FILE), digest);
}

/** Whether there is a complete build. */
export function hasBuild(root: string): boolean {
  return BUILT_FILES.every((file) => existsSync(join(root, file)));
}

if (import.meta.main) await buildSite(join(import.meta.dirname, '..'));
