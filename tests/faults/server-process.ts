import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { START_COMMAND } from '../start-flags.ts';

const root = join(import.meta.dirname, '../..');

/** A process of the drill, by its own id. */
export interface DrillProcess {
  pid: number;
  /** What it has printed, line by line. */
  log: string[];
  kill(signal: NodeJS.Signals): void;
  /** From now on nobody takes what it prints, or somebody does again. */
  readLog(isRead: boolean): void;
  /** From now on it plays a machine of its own, and takes of this one only what nobody else wants. */
  yields(): void;
  /** Resolves with the exit code; null after a signal that ended it. */
  ended: Promise<number | null>;
  /** Resident memory in bytes. */
  memory(): number;
}

/** A server of the drill, as `npm start` starts it. */
export interface ServerProcess extends DrillProcess {
  origin: string;
  ops: string;
  /** Milliseconds from its start until it was ready. */
  startedIn: number;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a script of the project on the Node that runs the drill. */
export function startProcess(script: string[], env: Record<string, string> = {}): DrillProcess {
  const child = spawn(process.execPath, script, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const log: string[] = [];
  const lines = [child.stdout, child.stderr].map((input) =>
    createInterface({ input }).on('line', (line) => log.push(line)),
  );
  // `close` comes when its output has been read as well.
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return typeof code === 'number' ? code : null;
  });
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

/** What a server is started with besides what the drill decides. */
export interface ServerOptions {
  env: Record<string, string>;
  /** Flags of Node besides those of `npm start`, and the server's own. */
  nodeFlags?: string[];
  flags?: string[];
  port?: number;
  /** False: it is not waited for, because it is not meant to get ready. */
  ready?: boolean;
}

/** Starts the built server and waits until it is ready. Rejects with its log where it ends first. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { env, nodeFlags = [], flags = [], port = await freePort(), ready = true } = options;
  const opsPort = env['OPS_PORT'] ? Number(env['OPS_PORT']) : await freePort();
  const began = performance.now();
  const started = startProcess([...nodeFlags, ...START_COMMAND, ...flags], {
    PORT: String(port),
    HOST: '127.0.0.1',
    OPS_PORT: String(opsPort),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_READ: '0',
    RATE_LIMIT_WRITE: '0',
    RATE_LIMIT_BEACON: '0',
    ...env,
  });
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

/** Ends a process as an operator would and tells its exit code and how long that took. */
export async function terminate(one: DrillProcess): Promise<{ code: number | null; ms: number }> {
  const began = performance.now();
  one.kill('SIGTERM');
  const code = await one.ended;
  return { code, ms: performance.now() - began };
}

/** Ends a process as a power cut would. */
export async function killHard(one: DrillProcess): Promise<void> {
  one.kill('SIGKILL');
  await one.ended;
}
