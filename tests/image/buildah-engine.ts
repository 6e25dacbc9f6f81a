import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installSystemPackage } from '../system-package.ts';
import { buildah, STORAGE } from './buildah.ts';
import {
  type ContainerEngine,
  execute,
  type ImageConfig,
  REACH_MIRROR,
  succeeds,
} from './container-engine.ts';
import { hasDebootstrap, importBaseImage } from './stand-in-base.ts';

/** Whether buildah can build here, and this process may mount. */
const canBuild = (): boolean =>
  succeeds('buildah', '--version') && hasDebootstrap() && succeeds('unshare', '--mount', 'true');

/** Whether images can be built without Docker: as root on Linux. Installs Debian's packages where they are missing. */
export function hasBuildah(): boolean {
  if (process.getuid?.() !== 0) return false;
  if (canBuild()) return true;
  try {
    for (const name of ['buildah', 'debootstrap'])
      if (!succeeds(name, '--version')) installSystemPackage(name);
  } catch {
    return false;
  }
  return canBuild();
}

/**
 * Runs a command in the root file system $1, as user $2: all of it is read-only but $1/tmp, a tmpfs, and $1/data, which
 * is the folder $3. In a mount namespace of its own, so nothing is left mounted. Each step replaces the process by `exec`,
 * so that a signal reaches the command and its exit code is the one seen.
 */
const RUN_READ_ONLY = `
set -eu
root=$1 user=$2 data=$3; shift 3
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user:$user" --groups= "$root" "$@"
`;

export function createBuildahEngine(image: string): ContainerEngine {
  const data = mkdtempSync(join(tmpdir(), 'image-data-'));
  let container: { root: string; config: ImageConfig } | undefined;

  function config(): ImageConfig {
    const inspected = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
      Docker: { config: ImageConfig };
    };
    return inspected.Docker.config;
  }

  /** Mounts a container of the image. Its volume starts as Docker's do: with the owner of the image's folder. */
  function mountContainer() {
    const id = buildah('from', '--pull-never', image).trim();
    const root = buildah('mount', id).trim();
    const { uid, gid } = statSync(join(root, 'data'));
    chownSync(data, uid, gid);
    return { root, config: config() };
  }

  return {
    name: 'buildah, on a stand-in for the base image',
    prepare(base) {
      importBaseImage(base);
      // A sandbox may allow mounts to this process and forbid them to the container of a build.
      const id = buildah('from', '--pull-never', base).trim();
      buildah('run', '--isolation', 'chroot', id, ...REACH_MIRROR);
      buildah('mount', id);
    },
    build(context, args) {
      const buildArgs = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
      // npm's cache is the machine's: this is no test of the network. Docker's format, because OCI's has no HEALTHCHECK.
      const npmCache = `${execute('npm', ['config', 'get', 'cache']).trim()}:/root/.npm`;
      const options = ['--isolation', 'chroot', '--pull-never', '--format', 'docker', '--volume', npmCache];
      buildah('bud', ...options, ...buildArgs, '--tag', image, context);
    },
    config,
    runCommand({ env = {}, command } = {}) {
      container ??= mountContainer();
      const { root, config } = container;
      const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
      const inside = ['/usr/bin/env', '-i', '--chdir=/app', ...variables, ...(command ?? config.Cmd)];
      return ['unshare', '--mount', 'sh', '-c', RUN_READ_ONLY, 'sh', root, config.User, data, ...inside];
    },
    keep(name) {
      buildah('tag', image, name);
      return `${name} in ${STORAGE}/images, on a stand-in for the base: to look at, not to deploy`;
    },
    remove() {
      // Also what failed builds left: the storage is this check's own.
      buildah('rm', '--all');
      rmSync(data, { recursive: true, force: true });
      if (buildah('images', '--quiet', '--filter', `reference=${image}`)) buildah('rmi', image);
      buildah('rmi', '--prune');
    },
  };
}
