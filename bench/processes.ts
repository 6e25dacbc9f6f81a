import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../tests/free-port.ts';
import { START_COMMAND } from '../tests/start-flags.ts';

/** A measured process, pinned to a core of its own where the machine has two. */
export interface Measured {
  origin: string;
  /** Resident memory in bytes. */
  memory(): number;
  /** Processor time of all threads since the start, in seconds. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** The built site. */
export interface MeasuredSite extends Measured {
  /** Ids of the processes that it has started. */
  children(): number[];
}

/** Core of the measured process. */
export const SERVER_CORE = '0';

const STALE_WAIT_MS = 5_000;

/** Pins a command to one core, where the machine allows it. */
export function pinned(core: string, command: string[]): string[] {
  return existsSync('/usr/bin/taskset') ? ['/usr/bin/taskset', '-c', core, ...command] : command;
}

/** Starts a script and resolves once it has printed its origin. */
export async function startMeasured(
  script: readonly string[],
  env: Record<string, string> = {},
  core = SERVER_CORE,
): Promise<Measured> {
  const child = spawnPinned(script, env, core);
  return measure(child, await originOf(child));
}

export interface StartSiteOptions {
  env: Record<string, string>;
  /** Default: that of `npm start`, which runs the bundle. */
  command?: readonly string[];
  /** Resolve once it is ready, or as soon as it listens. */
  until?: 'ready' | 'listening';
}

/** Starts the built site on a free port, with a rate limit that counts as always and that the load does not reach. */
export async function startSite({
  env,
  command = START_COMMAND,
  until = 'ready',
}: StartSiteOptions): Promise<MeasuredSite> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const defaults = { OPS_PORT: '0', RATE_LIMIT_READ: '10000000', LOG_LEVEL: 'warn' };
  const child = spawnPinned(
    command,
    { ...defaults, ...env, HOST: '127.0.0.1', PORT: String(port) },
    SERVER_CORE,
  );
  child.stdout.resume();
  const isThere = (status: number) => (until === 'ready' ? status === 200 : status > 0);
  while (!isThere(await statusOf(`${origin}/readyz`))) {
    if (child.exitCode !== null) throw new Error('the site ended before it was ready');
    await pause(POLL_MS);
  }
  const pid = child.pid ?? 0;
  const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return {
    ...measure(child, origin),
    children: () => children().map(Number),
  };
}

const POLL_MS = 10;

/** Returns 0 where nothing listens. */
const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

function spawnPinned(script: readonly string[], env: Record<string, string>, core: string) {
  const [command = '', ...rest] = pinned(core, [process.execPath, ...script]);
  return spawn(command, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
}

function measure(child: ChildProcess, origin: string): Measured {
  return {
    origin,
    memory: () => residentBytes(child.pid ?? 0),
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      // A server that waits for a hanging upstream would not stop.
      const impatience = setTimeout(() => child.kill('SIGKILL'), STALE_WAIT_MS);
      await ended;
      clearTimeout(impatience);
    },
  };
}

async function originOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the process has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const origin = /https?:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (origin) {
      child.stdout.resume();
      return origin;
    }
  }
  throw new Error('the process ended before it listened');
}

/** The kernel counts processor time in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** Returns a process's user and system time in seconds. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may contain spaces; the counts are fields 14 and 15 of proc(5).
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(words[11]) + Number(words[12])) / TICKS_A_SECOND;
}

/** Returns a process's resident memory in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

/** State of a socket that listens, in proc(5). */
const LISTENING = '0A';

/** Returns the ports of IPv4 on which a process listens. */
export function listeningPorts(pid: number): number[] {
  const files = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const isOwn = words[3] === LISTENING && files.includes(`socket:[${words[9]}]`);
    return isOwn ? Number.parseInt(String(words[1]?.split(':')[1]), 16) : [];
  });
}
