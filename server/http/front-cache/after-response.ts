import type { ServerResponse } from 'node:http';

/** Work that follows a response. `at`: when the response had left, monotonic milliseconds. */
export type AfterResponse = (at: number) => void;

let pending: { response: ServerResponse; at: number; work: AfterResponse }[] = [];

/**
 * Runs `work` once a response that has just been ended has left the process; never if the client disconnects before.
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
    if (response.writableFinished) work(at);
    else response.once('finish', () => work(performance.now()));
  }
}
