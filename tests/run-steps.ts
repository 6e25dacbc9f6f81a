import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endGroup, endWithThisProcess } from './child-processes.ts';

// A step leads a process group of its own, which the terminal's Ctrl-C does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A command and its name in the output. */
export interface Step {
  name: string;
  command: readonly [string, ...string[]];
}

/** Returns the step that runs a script of `package.json`. */
export const script = (name: string): Step => ({ name, command: [process.execPath, '--run', name] });

/**
 * Runs steps concurrently and resolves to whether all of them succeeded. The output of one among several is printed when
 * it has ended, so that no two are mixed.
 */
export async function runTogether(steps: readonly Step[]): Promise<boolean> {
  const results = await Promise.all(steps.map((step) => runStep(step, steps.length === 1)));
  return results.every((isGood) => isGood);
}

/**
 * Runs steps, each as soon as those that it needs have succeeded, at most `concurrency` together, not counting those of
 * `uncounted`, and in the order of the table. Resolves to whether all succeeded; after a failure nothing more is started.
 * Throws on a need that is no step.
 */
export async function runInOrder(
  needs: Readonly<Record<string, readonly string[]>>,
  concurrency: number,
  uncounted: ReadonlySet<string>,
): Promise<boolean> {
  const waiting = new Map(Object.entries(needs));
  const running = new Map<string, Promise<void>>();
  const succeeded = new Set<string>();
  let hasFailed = false;
  while (!hasFailed && (waiting.size > 0 || running.size > 0)) {
    for (const [name, needed] of waiting) {
      const counted = [...running.keys()].filter((other) => !uncounted.has(other));
      if (counted.length >= concurrency && !uncounted.has(name)) continue;
      if (!needed.every((other) => succeeded.has(other))) continue;
      waiting.delete(name);
      running.set(
        name,
        runStep(script(name), false).then((isGood) => {
          running.delete(name);
          if (isGood) succeeded.add(name);
          else hasFailed = true;
        }),
      );
    }
    if (running.size === 0) throw new Error(`no step can start: ${[...waiting.keys()].join(', ')}`);
    await Promise.race(running.values());
  }
  await Promise.all(running.values());
  return !hasFailed;
}

async function runStep({ name, command: [file, ...args] }: Step, isAlone: boolean): Promise<boolean> {
  const began = performance.now();
  const child = endWithThisProcess(
    spawn(file, args, { stdio: ['inherit', ...(isAlone ? INHERITED : PIPED)], detached: true }),
    endGroup,
  );
  // A process that a failed step has left behind would hold the output open.
  child.once('exit', () => endGroup(child));
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(output));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  return code === 0;
}

const INHERITED = ['inherit', 'inherit'] as const;
const PIPED = ['pipe', 'pipe'] as const;
