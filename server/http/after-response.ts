import type { ServerResponse } from 'node:http';

/** What follows an answer. `at`: when it had left, monotonic milliseconds. */
export type AfterResponse = (at: number) => void;

let waiting: { response: ServerResponse; at: number; work: AfterResponse }[] = [];

/**
 * Runs `work` once an answer that was just ended has left the process; never, if its reader goes before. Nearly all have
 * left by the end of the loop's turn, and a listener for each costs an eighth of a warm answer: those that a slow reader
 * holds up get one.
 */
export function afterResponse(response: ServerResponse, work: AfterResponse): void {
  if (waiting.push({ response, at: performance.now(), work }) === 1) setImmediate(lookAtAll);
}

function lookAtAll(): void {
  const all = waiting;
  waiting = [];
  for (const { response, at, work } of all) {
    if (response.writableFinished) work(at);
    else response.once('finish', () => work(performance.now()));
  }
}
