import type { ServerResponse } from 'node:http';

/** Work that follows a response. `at`: when it had left or its client was gone, monotonic milliseconds. */
export type AfterResponse = (at: number, isAborted: boolean) => void;

let pending: { response: ServerResponse; at: number; work: AfterResponse }[] = [];

/**
 * Runs `work` once a response that has just been ended has left the process, or its client has disconnected before.
 * Nearly all have left by the end of the event loop's turn, and a listener for each would cost an eighth of a cache hit:
 * only those that a slow client holds up get one.
 */
export function afterResponse(response: ServerResponse, work: AfterResponse): void {
  if (pending.push({ response, at: performance.now(), work }) === 1) setImmediate(runPending);
}

function runPending(): void {
  const all = pending;
  pending = [];
  for (const { response, at, work } of all) {
    if (response.writableFinished) work(at, false);
    else if (response.closed) work(at, true);
    else response.once('close', () => work(performance.now(), !response.writableFinished));
  }
}
