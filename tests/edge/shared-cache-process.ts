import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithThisProcess } from '../child-processes.ts';
import type { SharedCache } from './shared-cache.ts';

/**
 * Starts a shared cache that serves on `port` and has its files in `dir`, which is removed when it stops. Resolves once the site behind it responds. Rejects
 * where the machine has no such program, or it ends before that.
 */
export async function startSharedCache(
  command: string,
  options: readonly string[],
  { port, dir }: { port: number; dir: string },
): Promise<SharedCache> {
  // By itself, with its workers.
  const child = endWithThisProcess(spawn(command, options, { stdio: ['ignore', 'ignore', 'pipe'] }), (one) =>
    one.kill('SIGTERM'),
  );
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const exited = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await Promise.race([isUp(), failed]))) {
    if (child.exitCode !== null) throw new Error(`${command} ended before it was ready:\n${log}`);
    await pause(50);
  }
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
