import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Installed, installedPackages } from './packages.ts';

export const LICENCES_FILE = join(import.meta.dirname, '../../docs/licences.md');

function section(title: string, packages: readonly Installed[]): string {
  const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return [`## ${title}`, '', '| package | version | licence |', '| --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
}

/** The list of all packages with their licences, in Markdown. */
export async function licencesText(): Promise<string> {
  const packages = await installedPackages();
  return [
    '# Licences of the packages\n\nMade from the lock file by `npm run licences`. The fonts are under the SIL Open Font License 1.1.\n',
    section(
      'Of the running site',
      packages.filter(({ development }) => !development),
    ),
    section(
      'To build and to test',
      packages.filter(({ development }) => development),
    ),
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) await writeFile(LICENCES_FILE, await licencesText());
