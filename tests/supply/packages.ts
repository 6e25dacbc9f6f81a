import { readdir, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');

const Package = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  license: z.unknown(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  scripts: z.record(z.string(), z.string()).default({}),
});

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      devOptional: z.boolean().default(false),
    }),
  ),
});

/** A package that an installation holds. */
export interface Installed {
  name: string;
  version: string;
  licence: string;
  /** Needed to build or test alone; the running site does without. */
  development: boolean;
}

export async function readPackage(path = join(root, 'package.json')) {
  return Package.parse(JSON.parse(await readFile(path, 'utf8')));
}

/** Everything the lock file installs, by name. */
export async function installedPackages(): Promise<Installed[]> {
  const { packages } = Lock.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const found = Object.entries(packages).filter(([path]) => path !== '');
  const installed = found.map(([path, { version = '', license = '', dev, devOptional }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    licence: license,
    development: dev || devOptional,
  }));
  return installed.sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  );
}

/** Where code stands, and whether the running site needs it. */
const SOURCES: Record<string, 'runs' | 'builds'> = {
  server: 'runs',
  tools: 'runs',
  shared: 'runs',
  demo: 'runs',
  client: 'runs',
  tests: 'builds',
  bench: 'builds',
};

/** Projects with package files of their own, which the installation of this one has no part in. */
const OTHERS = /^bench\/baselines\/\w+\//;

const CODE = /\.(ts|tsx|css)$/;
const IMPORT =
  /^(?:import|export)\b[^'"`;]*\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)|[rR]equire(?:\([^)]*\))?\.resolve\(\s*['`]([^'`]+)['`]\)|@import\s+"([^"]+)"|\burl\("([^"]+)"\)/gm;

/** The package that an import names; null for our own files, Node's modules and addresses. */
function packageOf(specifier: string): string | null {
  if (/^[./#]|^(node|https?|data|virtual):/.test(specifier) || builtinModules.includes(specifier))
    return null;
  const [scope = '', name = ''] = specifier.split('/');
  // A name that is put together: the scope tells which packages it can be of.
  if (name.startsWith('${')) return scope;
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

export interface Use {
  file: string;
  name: string;
  /** Whether the running site or its build needs the file: tests and benchmarks do not. */
  runs: boolean;
}

/** Every import of a package in the project's own code and configuration. */
export async function packageUses(): Promise<Use[]> {
  const uses: Use[] = [];
  async function scan(file: string, runs: boolean): Promise<void> {
    const text = await readFile(join(root, file), 'utf8');
    for (const [, ...found] of text.matchAll(IMPORT)) {
      const name = packageOf(found.find((specifier) => specifier !== undefined) ?? '.');
      if (name !== null) uses.push({ file, name, runs });
    }
  }
  for (const [folder, kind] of Object.entries(SOURCES)) {
    for (const path of await readdir(join(root, folder), { recursive: true })) {
      const isTest = /\.test\.tsx?$/.test(path);
      const file = `${folder}/${path}`;
      if (CODE.test(path) && !OTHERS.test(file)) await scan(file, kind === 'runs' && !isTest);
    }
  }
  for (const file of ['vite.config.ts', 'vitest.config.ts', 'playwright.config.ts']) await scan(file, false);
  return uses;
}
