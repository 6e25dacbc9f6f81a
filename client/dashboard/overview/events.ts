import { describeChange } from '#client/dashboard/changes/describe-change.ts';
import { clockTime } from '#client/dashboard/elements/format.ts';
import type { SampleWindow } from '#client/dashboard/samples/sample-window.ts';
import type { Change } from '#shared/models/ops/ops-api-types.ts';

/** What happened at a moment. */
export interface Event {
  /** Wall milliseconds. */
  at: number;
  text: string;
}

/** A process takes its first sample this long after it started, at most. */
const FIRST_SAMPLE_MS = 60_000;

/** Returns a change in one line. */
export function changeText(change: Change): string {
  const what = change.what.replace(/^policy of /, '');
  const described = describeChange(change);
  return `${what}: ${described} (${change.who})`;
}

/** Returns what operators changed, starts of the process and times of an open circuit breaker, the newest first. */
export function eventsOf(window: SampleWindow, changes: readonly Change[]): Event[] {
  const since = window.at[0] ?? 0;
  const changed = changes
    .map((change) => ({ at: Date.parse(change.at), text: changeText(change) }))
    .filter(({ at }) => at >= since);
  const started = startsOf(window)
    .filter((at) => at >= since - FIRST_SAMPLE_MS)
    .map((at) => ({ at, text: 'the server started' }));
  return [...changed, ...started, ...breakerTimesOf(window)].sort((one, other) => other.at - one.at);
}

/** Returns when the processes started whose samples are in the window, in wall milliseconds. */
export function startsOf(window: SampleWindow): number[] {
  const starts = window.gauge('process_start_time_seconds').filter((start) => start !== null);
  return [...new Set(starts)].map((seconds) => seconds * 1000);
}

function breakerTimesOf(window: SampleWindow): Event[] {
  const open = window.gauge('upstream_circuit_breaker_state', { state: 'open' });
  const events: Event[] = [];
  let since: number | null = null;
  for (const [index, at] of window.at.entries()) {
    const isOpen = (open[index] ?? 0) > 0;
    if (isOpen && since === null) since = at;
    if (!isOpen && since !== null) {
      events.push({ at: since, text: `circuit breaker open until ${clockTime(new Date(at))}` });
      since = null;
    }
  }
  if (since !== null) events.push({ at: since, text: 'circuit breaker open' });
  return events;
}
