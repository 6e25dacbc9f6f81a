import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { endGroup, endWithThisProcess } from './child-processes.ts';

// A step leads a process group of its own, which the terminal's Ctrl-C does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Lines that name a failed test, its error and where it was thrown, as Vitest and Playwright print them. */
const FAILURE_LINE = /^\s*(FAIL |\d+\) |\w*Error: |❯ \S+:\d+:\d+)/;

/** Most characters of such lines of a step that are printed once more. */
const MAX_FAILURES_LENGTH = 3_000;

/** A command, and what it waits for. */
export interface Step {
  /** Default: the script of `package.json` that has the step's name. */
  command?: readonly [string, ...string[]];
  /** Names of the steps that must have succeeded before. */
  needs?: readonly string[];
}

/**
 * Runs steps, each as soon as those that it needs have succeeded, at most `concurrency` together, and in the order of the
 * table. Resolves to whether all succeeded; after a failure nothing more is started. The output of a step is printed when
 * it has ended, so that no two are mixed; the failures of all are named once more at the end. Throws on a need that is no step.
 */
export async function runSteps(steps: Readonly<Record<string, Step>>, concurrency: number): Promise<boolean> {
  const waiting = new Map(Object.entries(steps));
  const running = new Map<string, Promise<void>>();
  const succeeded = new Set<string>();
  const failures: string[] = [];
  let hasFailed = false;
  while (!hasFailed && (waiting.size > 0 || running.size > 0)) {
    for (const [name, step] of waiting) {
      if (running.size >= concurrency) break;
      if (step.needs?.some((needed) => !succeeded.has(needed))) continue;
      waiting.delete(name);
      running.set(
        name,
        runStep(name, step).then(({ isGood, output }) => {
          running.delete(name);
          if (isGood) succeeded.add(name);
          else hasFailed = true;
          if (!isGood) failures.push(`FAILED ${name}`, failureLines(output));
        }),
      );
    }
    if (running.size === 0) throw new Error(`no step can start: ${[...waiting.keys()].join(', ')}`);
    await Promise.race(running.values());
  }
  await Promise.all(running.values());
  if (hasFailed) console.log(failures.join('\n').trimEnd());
  return !hasFailed;
}

function failureLines(output: string): string {
  return stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => FAILURE_LINE.test(line))
    .map((line) => line.slice(0, 200))
    .join('\n')
    .slice(0, MAX_FAILURES_LENGTH);
}

/** Runs a step. Resolves to whether it succeeded, and its output. */
async function runStep(name: string, { command }: Step): Promise<{ isGood: boolean; output: string }> {
  const [file, ...args] = command ?? [process.execPath, '--run', name];
  const began = performance.now();
  const child = endWithThisProcess(
    spawn(file, args, { stdio: ['inherit', 'pipe', 'pipe'], detached: true }),
    endGroup,
  );
  // A process that a failed step has left behind would hold the output open.
  child.once('exit', () => endGroup(child));
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(output));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  return { isGood: code === 0, output: Buffer.concat(output).toString() };
}
