import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { DIGEST_FILE, sourceDigest } from '../tools/source-digest.js';

/**
 * Starts the bundled server, or `main.ts` where there is no build of these very sources. With Node's compile cache, set in
 * the environment because the render worker takes it from there. In JavaScript, because Node would load what strips
 * types for an entry that cannot be in the cache yet.
 */

// Until the server can be stopped gracefully there is nothing to finish: a stop is no failure. `main.ts` adds its own listeners.
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(0);
  });

const root = join(import.meta.dirname, '..');
const bundle = join(root, 'dist/server/main.js');
const digest = join(root, DIGEST_FILE);

/** A container has the bundle without the sources. */
const hasSources = existsSync(join(root, 'server/main.ts'));
const isBuilt = !hasSources || (existsSync(digest) && readFileSync(digest, 'utf8') === sourceDigest(root));

process.env.NODE_COMPILE_CACHE ??= join(root, 'dist/compile-cache');
enableCompileCache();
await import(isBuilt ? bundle : './main.ts');
