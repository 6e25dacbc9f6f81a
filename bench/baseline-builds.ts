import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../tests/free-port.ts';
import { type Measured, startMeasured } from './processes.ts';

const run = promisify(execFile);
const BASELINES = join(import.meta.dirname, 'baselines');
/** Where they are installed and built. */
const BUILT = join(import.meta.dirname, '../node_modules/.cache/baselines');
const CLIENT = join(import.meta.dirname, '../dist/client/assets');

/** Another framework that renders the same pages, configured for production as its own documentation says. */
export interface Baseline {
  name: string;
  /** Path that serves the bytes of our home page in an encoding; null where there is none. */
  sameBytes: ((encoding: string) => string) | null;
  /** `ours`: the address of our home page. */
  start(ours?: string): Promise<Measured>;
}

/** A baseline that resizes pictures as well. */
export interface ImageBaseline extends Baseline {
  /** Returns the target of a picture at a width, by its URL at the image host. */
  imageTarget(url: string, width: number): string;
  /** Deletes what it has resized. While it is stopped. */
  forgetImages(): Promise<void>;
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

const NEXT: Recipe = {
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
};

const RECIPES: readonly Recipe[] = [
  NEXT,
  {
    name: 'Astro',
    folder: 'astro',
    server: 'dist/server/entry.mjs',
    sameBytes: null,
    env: (port) => ({ HOST: '127.0.0.1', PORT: String(port) }),
  },
];

/**
 * Installs and builds the baselines, with our style sheet. `env`: the upstream, which they may ask while they are built.
 * Needs the network.
 */
export async function buildBaselines(env: Record<string, string>): Promise<Baseline[]> {
  const baselines: Baseline[] = [];
  for (const recipe of RECIPES) {
    const folder = join(BUILT, recipe.folder);
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
    baselines.push(baselineOf(recipe, env));
  }
  return baselines;
}

function baselineOf(
  { name, folder, server, sameBytes, env: ownEnv }: Recipe,
  env: Record<string, string>,
): Baseline {
  return {
    name,
    sameBytes,
    async start(ours = '') {
      const own = { ...env, ...ownEnv(await freePort()), NODE_ENV: 'production', SAME_BYTES_AS: ours };
      return startMeasured([join(BUILT, folder, server)], own);
    },
  };
}

/** Returns Next.js with its `next/image`, or null where `buildBaselines` has not built it. */
export function builtNext(env: Record<string, string>): ImageBaseline | null {
  if (!existsSync(join(BUILT, NEXT.folder, NEXT.server))) return null;
  return {
    ...baselineOf(NEXT, env),
    imageTarget: (url, width) => `/_next/image?${new URLSearchParams({ url, w: String(width), q: '75' })}`,
    forgetImages: () =>
      rm(join(BUILT, NEXT.folder, '.next/standalone/.next/cache/images'), { recursive: true, force: true }),
  };
}

async function ourStyles(): Promise<string> {
  const file = (await readdir(CLIENT)).find((name) => name.endsWith('.css'));
  if (!file) throw new Error('the client build has no style sheet');
  return join(CLIENT, file);
}
