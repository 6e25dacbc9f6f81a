import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LICENCES_FILE, licencesText } from './licences.ts';
import { installedPackages, packageUses, readPackage } from './packages.ts';
import { productionSbom } from './sbom.ts';

/** Used by what is no import, and by what. */
const NAMED_ELSEWHERE: Record<string, string> = {
  node: 'the scripts run with it',
  typescript: 'npm run types',
  '@biomejs/biome': 'npm run lint',
  eslint: 'npm run lint',
  'eslint-plugin-react-hooks': 'eslint.config.js',
  '@babel/eslint-parser': 'eslint.config.js',
  '@babel/core': 'a peer of @babel/eslint-parser',
  terser: 'vite.config.ts, minify',
  'vnu-jar': 'tests/integration/pages/valid-html.test.ts',
};

/** Loaded to build and to develop alone. */
const BUILDS = new Set(['tools/build.ts', 'tools/build-fonts.ts', 'server/render/vite-dev-server.ts']);

/** Packages whose names are put together from a list. */
const SCOPES = new Set(['@fontsource-variable']);

/** Free to use and to pass on, with a notice at most; weak copyleft where a package is used as it is. */
const PERMISSIVE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|CC-BY-3\.0|Python-2\.0|PSF-2\.0|Unlicense|OFL-1\.1|MPL-2\.0|LGPL-3\.0-or-later|WTFPL|Zlib)$/;

/** Every alternative of an `OR` is one, every part of an `AND` must be. */
function isPermissive(licence: string): boolean {
  const parts = licence.replace(/[()]/g, '').split(' OR ');
  return parts.some((part) => part.split(' AND ').every((name) => PERMISSIVE.test(name.trim())));
}

const Sbom = z.object({
  bomFormat: z.string(),
  components: z.array(z.object({ group: z.string().optional(), name: z.string() })),
});

describe('the dependencies', () => {
  it('are all used', async () => {
    const { dependencies, devDependencies } = await readPackage();
    const used = new Set((await packageUses()).map(({ name }) => name));
    const isUsed = (name: string): boolean =>
      used.has(name) ||
      name in NAMED_ELSEWHERE ||
      used.has(name.split('/')[0] ?? '') ||
      (name.startsWith('@types/') && (name === '@types/node' || isUsed(name.slice('@types/'.length))));
    const unused = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !isUsed(name));
    expect(unused).toEqual([]);
  });

  it('are all declared', async () => {
    const { dependencies, devDependencies } = await readPackage();
    const declared = { ...dependencies, ...devDependencies };
    const uses = await packageUses();
    expect(uses.length).toBeGreaterThan(100);
    const undeclared = uses.filter(
      ({ name }) => !(name in declared) && !(`@types/${name}` in declared) && !SCOPES.has(name),
    );
    expect(undeclared.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it('that the running server imports are there without those of development', async () => {
    const { dependencies, devDependencies } = await readPackage();
    const missing = (await packageUses()).filter(
      ({ file, name, runs }) =>
        runs && /^(server|shared|demo)\//.test(file) && !BUILDS.has(file) && !(name in dependencies),
    );
    const typesAlone = (name: string) => `@types/${name}` in devDependencies;
    expect(missing.filter(({ name }) => !typesAlone(name))).toEqual([]);
  });

  it('hold no server components, which this site does not have', async () => {
    const names = (await installedPackages()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('react-server-dom-'))).toEqual([]);
  });

  it('are under licences that allow it, and listed', async () => {
    const packages = await installedPackages();
    const others = packages.filter(({ licence }) => !isPermissive(licence));
    expect(others.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
    expect(await readFile(LICENCES_FILE, 'utf8')).toBe(await licencesText());
  });

  it('each have their reason in a decision', async () => {
    const { dependencies, devDependencies } = await readPackage();
    const folder = join(import.meta.dirname, '../../docs/decisions');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.md'));
    const text = (await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !name.startsWith('@types/'),
    );
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });

  it('of production, and no others, are the components of the SBOM', async () => {
    const { bomFormat, components } = Sbom.parse(JSON.parse(await productionSbom()));
    const { dependencies, devDependencies } = await readPackage();
    const listed = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
    expect(bomFormat).toBe('CycloneDX');
    expect(Object.keys(dependencies).filter((name) => !listed.has(name))).toEqual([]);
    expect(
      ['vite', 'vitest', 'typescript'].filter((name) => name in devDependencies && listed.has(name)),
    ).toEqual([]);
  });
});
