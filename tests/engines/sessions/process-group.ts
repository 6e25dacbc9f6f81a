import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a request to end, and then the end of killed processes, is waited for, in milliseconds. */
const END_MS = 10_000;

/** Waits for a request to end to be fulfilled or to fail, at most `END_MS`. */
export async function untilEnded(asked: Promise<unknown>): Promise<void> {
  await Promise.race([asked.catch(() => undefined), delay(END_MS, undefined, { ref: false })]);
}

/**
 * Returns a function that kills a detached process and all that it has started. It resolves when all of them have ended,
 * which is when nobody holds the leader's pipes any more: browsers write to their profile until then. Call it right after
 * the start.
 */
export function stopOfGroup(leader: ChildProcess): () => Promise<void> {
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    leader.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  return async () => {
    if (leader.pid === undefined || isClosed) return;
    try {
      process.kill(-leader.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
    await untilEnded(closed);
    // What has left the group may hold the pipes: they would keep this process alive.
    for (const stream of leader.stdio) stream?.destroy();
  };
}
