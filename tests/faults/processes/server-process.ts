import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithThisProcess } from '../../child-processes.ts';
import { freePort } from '../../free-port.ts';
import { START_COMMAND } from '../../start-flags.ts';

const root = join(import.meta.dirname, '../../..');

/** A child process of the drill. */
export interface DrillProcess {
  pid: number;
  /** Its output by line. */
  log: string[];
  kill(signal: NodeJS.Signals): void;
  /** Stops or resumes reading its output. */
  readLog(isRead: boolean): void;
  /** Lowers its priority: it stands in for a server on another machine. */
  yields(): void;
  /** Resolves with the exit code; null where a signal ended it. */
  ended: Promise<number | null>;
  /** Resident memory in bytes. */
  memory(): number;
}

/** A server of the drill, as `npm start` starts it. */
export interface ServerProcess extends DrillProcess {
  origin: string;
  ops: string;
  /** Milliseconds from the start until ready. */
  startedIn: number;
}

/** Starts a script of the project, or of a copy in `cwd`, with the drill's own Node. */
export function startProcess(
  script: string[],
  env: Record<string, string> = {},
  cwd: string = root,
): DrillProcess {
  const child = endWithThisProcess(
    spawn(process.execPath, script, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const log: string[] = [];
  const lines = [child.stdout, child.stderr].map((input) =>
    createInterface({ input }).on('line', (line) => log.push(line)),
  );
  // `close` comes after the output has been read as well.
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${script.join(' ')} could not be started`);
  return {
    pid,
    log,
    ended,
    kill: (signal) => void child.kill(signal),
    readLog(isRead) {
      for (const line of lines) isRead ? line.resume() : line.pause();
    },
    yields: () => setPriority(pid, constants.priority.PRIORITY_LOW),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
  };
}

/** Options of a server besides those that the drill sets. */
export interface ServerOptions {
  env: Record<string, string>;
  /** Flags for Node besides those of `npm start`, and flags for the server. */
  nodeFlags?: string[];
  flags?: string[];
  port?: number;
  /** False: does not wait for readiness, which is not expected. */
  ready?: boolean;
  /** Folder of another version of the project. */
  root?: string;
}

/** Starts the built server and waits until it is ready. Rejects with its log where it ends first. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { env, nodeFlags = [], flags = [], port = await freePort(), ready = true, root } = options;
  const opsPort = env['OPS_PORT'] ? Number(env['OPS_PORT']) : await freePort();
  const began = performance.now();
  const started = startProcess(
    [...nodeFlags, ...START_COMMAND, ...flags],
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      OPS_PORT: String(opsPort),
      // Long: a stop that takes longer ends with 1, on a busy machine as well.
      SHUTDOWN_GRACE_MS: '30000',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_READ: '0',
      RATE_LIMIT_WRITE: '0',
      RATE_LIMIT_BEACON: '0',
      ...env,
    },
    root,
  );
  const origin = `http://127.0.0.1:${port}`;
  let over = false;
  void started.ended.then(() => {
    over = true;
  });
  while (ready && !(await isReady(origin))) {
    if (over) throw new Error(`the server ended before it was ready:\n${started.log.join('\n')}`);
    await pause(10);
  }
  return {
    ...started,
    origin,
    ops: `http://127.0.0.1:${opsPort}`,
    startedIn: performance.now() - began,
  };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`, { headers: { connection: 'close' } });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Sends SIGTERM; resolves with the exit code and the time it took. */
export async function terminate(one: DrillProcess): Promise<{ code: number | null; ms: number }> {
  const began = performance.now();
  one.kill('SIGTERM');
  const code = await one.ended;
  return { code, ms: performance.now() - began };
}

/** Sends SIGKILL and waits for the end. */
export async function killHard(one: DrillProcess): Promise<void> {
  one.kill('SIGKILL');
  await one.ended;
}
