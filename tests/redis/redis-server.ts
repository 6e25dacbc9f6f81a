import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithThisProcess } from '../child-processes.ts';
import { freePort } from '../free-port.ts';

/** A `redis-server` process of one test, on a free port. */
export interface RedisServer {
  url: string;
  /** Suspends it: it accepts connections and sends no reply until `resume`. */
  hang(): void;
  resume(): void;
  /** Kills it: data is lost, except what its append-only file in `dir` holds. */
  stop(): Promise<void>;
}

/**
 * Starts a server without persistence, or with an append-only file in `dir` that is synced before each reply. Rejects
 * where the machine has no `redis-server`.
 */
export async function startRedis(port?: number, dir?: string): Promise<RedisServer> {
  const listenPort = port ?? (await freePort());
  const persistence = dir === undefined ? ['no'] : ['yes', '--appendfsync', 'always', '--dir', dir];
  const options = [
    '--port',
    String(listenPort),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    // It would load what another server has left in the folder that the tests run in.
    '--dbfilename',
    'none.rdb',
    '--appendonly',
    ...persistence,
  ];
  const child = endWithThisProcess(spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] }));
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const exited = once(child, 'exit');
  await Promise.race([failed, isReady(child.stdout)]);
  return {
    url: `redis://127.0.0.1:${listenPort}`,
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
