import {
  type ContainerEngine,
  execute,
  type ImageConfig,
  REACH_MIRROR,
  succeeds,
} from './container-engine.ts';

/** Whether Docker's daemon responds: a client alone cannot build. */
export const hasDocker = (): boolean => succeeds('docker', 'info');

/** Bound of a download of the base image. */
const PULL_TIMEOUT_MS = 300_000;

export function createDockerEngine(image: string): ContainerEngine {
  const volume = `${image.replaceAll(/\W/g, '-')}-${process.pid}`;
  return {
    name: 'Docker',
    prepare(base) {
      if (!succeeds('docker', 'image', 'inspect', base)) execute('docker', ['pull', base], PULL_TIMEOUT_MS);
      execute('docker', ['run', '--rm', base, ...REACH_MIRROR]);
    },
    build(context, args) {
      const buildArgs = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
      execute('docker', ['build', ...buildArgs, '--tag', image, context]);
    },
    config: () =>
      JSON.parse(
        execute('docker', ['image', 'inspect', '--format', '{{json .Config}}', image]),
      ) as ImageConfig,
    runCommand({ env = {}, command = [] } = {}) {
      const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      const isolation = [
        '--read-only',
        '--tmpfs',
        '/tmp',
        '--volume',
        `${volume}:/data`,
        '--network',
        'host',
      ];
      return ['docker', 'run', '--rm', '--no-healthcheck', ...isolation, ...variables, image, ...command];
    },
    keep(name) {
      execute('docker', ['tag', image, name]);
      return name;
    },
    remove() {
      execute('docker', ['volume', 'rm', '--force', volume]);
      // A check that did not get as far has built none.
      succeeds('docker', 'image', 'rm', image);
    },
  };
}
