import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Starts `main.ts` with Node's compile cache. In JavaScript, because Node would load what strips types for an entry that
 * cannot be in the cache yet. In the environment, because the render worker takes it from there.
 */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../dist/compile-cache');
enableCompileCache();
await import('./main.ts');
