import { execFile } from 'node:child_process';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../tests/free-port.ts';
import { type Measured, startMeasured } from './processes.ts';

const run = promisify(execFile);
const BASELINES = join(import.meta.dirname, 'baselines');
const CLIENT = join(import.meta.dirname, '../dist/client/assets');

/** Another framework that renders the same pages, configured for production as its own documentation says. */
export interface Baseline {
  name: string;
  /** Path that serves the bytes of our home page in an encoding; null where there is none. */
  sameBytes: ((encoding: string) => string) | null;
  /** `ours`: the address of our home page. */
  start(ours: string): Promise<Measured>;
}

interface Recipe {
  name: string;
  folder: string;
  /** After the build, in its folder. */
  finish?: (folder: string) => Promise<void>;
  server: string;
  sameBytes: Baseline['sameBytes'];
  env: (port: number) => Record<string, string>;
}

const RECIPES: readonly Recipe[] = [
  {
    name: 'Next.js',
    folder: 'next',
    async finish(folder) {
      await cp(join(folder, 'public'), join(folder, '.next/standalone/public'), { recursive: true });
      const assets = join(folder, '.next/static');
      await cp(assets, join(folder, '.next/standalone/.next/static'), { recursive: true });
    },
    server: '.next/standalone/server.js',
    sameBytes: (encoding) => `/bytes/${encoding}`,
    env: (port) => ({ HOSTNAME: '127.0.0.1', PORT: String(port) }),
  },
  {
    name: 'Astro',
    folder: 'astro',
    server: 'dist/server/entry.mjs',
    sameBytes: null,
    env: (port) => ({ HOST: '127.0.0.1', PORT: String(port) }),
  },
];

/**
 * Installs and builds the baselines in `dir`, with our style sheet. `env`: the upstream, which they may ask while they are
 * built. Needs the network.
 */
export async function buildBaselines(dir: string, env: Record<string, string>): Promise<Baseline[]> {
  const baselines: Baseline[] = [];
  for (const recipe of RECIPES) {
    const folder = join(dir, recipe.folder);
    await cp(join(BASELINES, recipe.folder), folder, { recursive: true });
    await cp(join(BASELINES, 'demo-cms.ts'), join(folder, 'demo-cms.ts'));
    await mkdir(join(folder, 'public'), { recursive: true });
    await cp(await ourStyles(), join(folder, 'public/site.css'));
    const options = {
      cwd: folder,
      env: { ...process.env, ...env, NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' },
      maxBuffer: 1 << 26,
    };
    // Not `ci`: it wants packages for other systems in the lock file, which need not be there.
    await run('npm', ['install', '--no-audit', '--no-fund'], options);
    await run('npm', ['run', 'build'], options);
    await recipe.finish?.(folder);
    baselines.push({
      name: recipe.name,
      sameBytes: recipe.sameBytes,
      async start(ours) {
        const own = {
          ...env,
          ...recipe.env(await freePort()),
          NODE_ENV: 'production',
          SAME_BYTES_AS: ours,
        };
        return startMeasured([join(folder, recipe.server)], own);
      },
    });
  }
  return baselines;
}

async function ourStyles(): Promise<string> {
  const file = (await readdir(CLIENT)).find((name) => name.endsWith('.css'));
  if (!file) throw new Error('the client build has no style sheet');
  return join(CLIENT, file);
}
