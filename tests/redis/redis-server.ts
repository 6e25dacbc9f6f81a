import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.ts';

/** A real Redis of a test's own, on a free port. */
export interface RedisServer {
  url: string;
  /** It takes connections and answers nothing, until `resume`. */
  hang(): void;
  resume(): void;
  /** Killed: gone with all that it held, but for what it keeps in its folder. */
  stop(): Promise<void>;
}

/** Starts one that keeps nothing; with a folder, each write there before it is answered. Rejects where the machine has no `redis-server`. */
export async function startRedis(port?: number, dir?: string): Promise<RedisServer> {
  const chosen = port ?? (await freePort());
  const kept = dir === undefined ? ['no'] : ['yes', '--appendfsync', 'always', '--dir', dir];
  const options = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', ...kept];
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const exited = once(child, 'exit');
  await Promise.race([failed, isReady(child.stdout)]);
  return {
    url: `redis://127.0.0.1:${chosen}`,
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function isReady(output: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface({ input: output })) {
    if (!line.includes('Ready to accept connections')) continue;
    output.resume();
    return;
  }
  throw new Error('redis-server ended before it was ready');
}
