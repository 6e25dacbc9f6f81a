import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** What runs: the labels of the metric `build_info`. */
export interface BuildInfo {
  /** Of `package.json`. */
  version: string;
  /** `REVISION`. */
  revision: string;
  /** Identity of the client build; `development` where Vite serves it. */
  client: string;
}

const Package = z.object({ version: z.string() });

/** Reads what runs. `root`: the project's folder; `clientDir`: null in development. */
export async function readBuildInfo(
  root: string,
  clientDir: string | null,
  revision: string,
): Promise<BuildInfo> {
  const { version } = Package.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  return { version, revision, client: clientDir === null ? 'development' : await readBuildId(clientDir) };
}

/** Returns the identity of a client build: the first 16 hexadecimal digits of its manifest's SHA-256. */
async function readBuildId(clientDir: string): Promise<string> {
  const manifest = await readFile(join(clientDir, '.vite/manifest.json'));
  return createHash('sha256').update(manifest).digest('hex').slice(0, 16);
}
