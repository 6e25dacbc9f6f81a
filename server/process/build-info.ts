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
  /** Identity of the client build, by the SHA-256 of its manifest; `development` where Vite serves it. */
  client: string;
}

/** Reads what runs. `clientDir`: null in development. */
export async function readBuildInfo(clientDir: string | null, revision: string): Promise<BuildInfo> {
  const { version } = packageJson;
  if (clientDir === null) return { version, revision, client: 'development' };
  const manifest = await readFile(join(clientDir, '.vite/manifest.json'));
  return { version, revision, client: hash('sha256', manifest, 'hex').slice(0, 16) };
}
