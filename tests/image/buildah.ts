import { execute } from './container-engine.ts';

/** Apart from the machine's own images, because the base in it is a stand-in. Kept, so that the next build is short. */
export const STORAGE = '/var/cache/image-check';

/** Runs buildah on a storage of its own and returns its standard output. Throws with its output if it fails. */
export const buildah = (...args: string[]): string =>
  execute('buildah', ['--root', `${STORAGE}/images`, '--runroot', '/run/image-check', ...args]);
