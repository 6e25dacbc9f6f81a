import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** What runs: the labels of the metric `build_info`. */
export interface BuildInfo {
  /** Of `package.json`. */
  version: string;
  /** `REVISION`. */
  revision: string;
  /** Identity of the client build; `development` where Vite serves it. */
  client: string;
}

/** Reads what runs. `clientDir`: null in development. */
export async function readBuildInfo(clientDir: string | null, revision: string): Promise<BuildInfo> {
  const client = clientDir === null ? 'development' : await readBuildId(clientDir);
  return { version: packageJson.version, revision, client };
}

/** Returns the identity of a client build: the first 16 hexadecimal digits of its manifest's SHA-256. */
async function readBuildId(clientDir: string): Promise<string> {
  return hash('sha256', await readFile(join(clientDir, '.vite/manifest.json')), 'hex').slice(0, 16);
}
