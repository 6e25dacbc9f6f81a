import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The mode in which `vite.config.ts` builds the dashboard. */
const DASHBOARD = 'dashboard';

/** Where the build's parts must stand for the server to start. */
const PARTS = [
  'dist/client/.vite/manifest.json',
  'dist/server/entry-server.js',
  'dist/server/render-worker.js',
  'dist/dashboard/index.html',
];

/** Builds the client, the server-render bundle and the operators' dashboard. Vite is loaded only here: production has none. */
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

/** True where there is a build to serve. */
export function hasBuild(root: string): boolean {
  return PARTS.every((part) => existsSync(join(root, part)));
}

if (import.meta.main) await buildSite(join(import.meta.dirname, '..'));
