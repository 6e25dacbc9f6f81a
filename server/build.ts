import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The mode in which `vite.config.ts` builds the dashboard. */
const DASHBOARD = 'dashboard';

/** Files that a complete build has. */
const BUILT_FILES = [
  'dist/client/.vite/manifest.json',
  'dist/server/entry-server.js',
  'dist/server/render-worker.js',
  'dist/dashboard/index.html',
];

/** Builds the client, the server-render bundle and the operators' dashboard. Vite is imported here, because production does not install it. */
export async function buildSite(root: string): Promise<void> {
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
  await build({ root, logLevel: 'warn', build: { ssr: true } });
  await build({
    root: join(root, 'client/dashboard'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    mode: DASHBOARD,
  });
}

/** Whether there is a complete build. */
export function hasBuild(root: string): boolean {
  return BUILT_FILES.every((file) => existsSync(join(root, file)));
}

if (import.meta.main) await buildSite(join(import.meta.dirname, '..'));
