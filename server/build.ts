import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the build's two halves must stand for the server to start. */
const PARTS = ['dist/client/.vite/manifest.json', 'dist/server/entry-server.js'];

/** Builds the client and the server-render bundle. Vite is loaded only here: production has none. */
export async function buildSite(root: string): Promise<void> {
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
  await build({ root, logLevel: 'warn', build: { ssr: true } });
}

/** True where there is a build to serve. */
export function hasBuild(root: string): boolean {
  return PARTS.every((part) => existsSync(join(root, part)));
}

if (import.meta.main) await buildSite(join(import.meta.dirname, '..'));
