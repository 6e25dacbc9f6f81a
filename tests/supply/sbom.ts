import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const Package = z.looseObject({ name: z.string() });

/**
 * Returns the packages of production as CycloneDX. From a lock file that holds no others, because `npm sbom --omit=dev` also
 * leaves out what development and production share. Asks no registry.
 */
export async function productionSbom(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sbom-'));
  try {
    const { devDependencies: _, ...production } = Package.parse(
      JSON.parse(await readFile(join(root, 'package.json'), 'utf8')),
    );
    // npm calls the product by the name of its folder.
    const cwd = join(dir, production.name);
    await mkdir(cwd);
    await writeFile(join(cwd, 'package.json'), JSON.stringify(production));
    await copyFile(join(root, 'package-lock.json'), join(cwd, 'package-lock.json'));
    await run('npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts'], { cwd });
    const { stdout } = await run('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
      cwd,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(await productionSbom());
