import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildah } from './buildah.ts';
import { execute, succeeds } from './container-engine.ts';

const DEBIAN = 'bookworm';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Bound of the download of Debian's packages: without a network debootstrap tries for hours. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

export const hasDebootstrap = (): boolean => succeeds('debootstrap', '--version');

/**
 * Makes the image `base` where no container registry can be asked: the same release of Debian with its essential packages,
 * this Node and npm in `/usr/local`, and the user `node`. Does nothing if it is there already.
 */
export function importBaseImage(base: string): void {
  const image = `docker.io/library/${base}`;
  const label = `node=${process.version}`;
  if (buildah('images', '--quiet', '--filter', `reference=${image}`, '--filter', `label=${label}`)) return;

  const folder = mkdtempSync(join(tmpdir(), 'image-base-'));
  try {
    execute('debootstrap', ['--variant=minbase', DEBIAN, folder], DOWNLOAD_TIMEOUT_MS);
    // As in the real base: neither lists nor archives of packages.
    execute('chroot', [folder, 'sh', '-c', 'apt-get clean && rm -rf /var/lib/apt/lists/*']);
    copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'));
    const npm = execute('sh', ['-c', 'readlink -f "$(command -v npm)"']).trim();
    cpSync(dirname(dirname(npm)), join(folder, 'usr/local/lib/node_modules/npm'), {
      recursive: true,
      dereference: true,
    });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
    execute('chroot', [folder, 'useradd', '--uid', '1000', '--create-home', 'node']);

    const container = buildah('from', 'scratch').trim();
    buildah('add', '--quiet', container, folder, '/');
    // The build stage talks to the registry of packages as this machine does, also through a proxy with its own authority.
    if (existsSync(CERTIFICATES)) {
      buildah('add', '--quiet', container, CERTIFICATES, CERTIFICATES);
      buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, container);
    }
    buildah('config', '--label', label, container);
    buildah('commit', '--quiet', '--rm', '--format', 'docker', container, image);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
