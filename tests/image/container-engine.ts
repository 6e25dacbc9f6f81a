import { spawnSync } from 'node:child_process';

/** The part of an image's configuration that is checked, as Docker names it. */
export interface ImageConfig {
  User: string;
  Env: string[];
  Cmd: string[];
  Labels: Record<string, string>;
  Healthcheck?: { Test: string[] };
}

export interface RunOptions {
  env?: Record<string, string>;
  /** Instead of the image's own command. */
  command?: readonly string[];
}

/** What builds the image and runs it. */
export interface ContainerEngine {
  name: string;
  /**
   * Brings the base image that the `Dockerfile` names. Throws where it cannot be had, or a container of it cannot run or reach
   * Debian's mirror, from which the image has a package.
   */
  prepare(base: string): void;
  /** Builds the image from the `Dockerfile` of a folder. */
  build(context: string, args: Readonly<Record<string, string>>): void;
  config(): ImageConfig;
  /**
   * Returns the command that runs a container in the foreground as the image's user: its root file system is read-only,
   * `/tmp` is a tmpfs, `/data` a volume that all runs share, and its network is the machine's. The command passes
   * SIGTERM on and ends with the container's exit code.
   */
  runCommand(options?: RunOptions): [string, ...string[]];
  /** Gives the image a further name that `remove` leaves, and returns how to refer to it. */
  keep(name: string): string;
  /** Removes the image, its containers and the volume. */
  remove(): void;
}

/** The command that fails in a container that cannot reach Debian's mirror. Without the second option it only warns. */
export const REACH_MIRROR = ['apt-get', 'update', '-qq', '-o', 'APT::Update::Error-Mode=any'] as const;

/** Runs a command to its end, or for `timeoutMs`, and returns its standard output. Throws with its output if it fails. */
export function execute(file: string, args: readonly string[], timeoutMs?: number): string {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    timeout: timeoutMs,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${file} ${args[0]} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Whether a command is there and succeeds. */
export const succeeds = (file: string, ...args: string[]): boolean =>
  spawnSync(file, args, { stdio: 'ignore' }).status === 0;
