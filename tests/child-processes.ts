import type { ChildProcess } from 'node:child_process';

const running = new Map<number, () => void>();
process.once('exit', () => {
  for (const end of running.values()) end();
});

/**
 * Ends a child process when this one exits, also by an uncaught error: one that is left would hold the output open, and
 * who reads that would wait for ever. `end`: how, where a `SIGKILL` is not right. Returns the child.
 */
export function endWithThisProcess<T extends ChildProcess>(
  child: T,
  end: (child: T) => void = (one) => void one.kill('SIGKILL'),
): T {
  const { pid } = child;
  if (pid === undefined) return child;
  running.set(pid, () => end(child));
  child.once('exit', () => running.delete(pid));
  return child;
}

/** Ends a child started with `detached`, and all processes that it has started, which are its group. */
export function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // None of them is left.
  }
}
