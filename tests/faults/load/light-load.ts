import { setTimeout as pause } from 'node:timers/promises';
import { request } from '../processes/site-process.ts';

/** Statuses and times of the responses. */
export interface LoadSeen {
  asked: number;
  /** How many responses of each status; 0 is none. */
  statuses: Record<number, number>;
  slowestMs: number;
  /** 50th and 99th percentile. */
  medianMs: number;
  p99Ms: number;
}

const READERS = 4;
const PAUSE_MS = 10;

/** Requests `paths` in turn over keep-alive connections for as long as `work` takes. */
export async function underLoad(origin: string, paths: readonly string[], work: () => Promise<unknown>) {
  const statuses: Record<number, number> = {};
  const times: number[] = [];
  let over = false;

  async function reader(first: number): Promise<void> {
    for (let index = first; !over; index += 1) {
      const response = await request(`${origin}${paths[index % paths.length]}`, { redirect: 'manual' });
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      times.push(response.ms);
      await pause(PAUSE_MS);
    }
  }

  const readers = Array.from({ length: READERS }, (_, index) => reader(index));
  try {
    await work();
  } finally {
    over = true;
    await Promise.all(readers);
  }
  return seenOf(statuses, times);
}

function seenOf(statuses: Record<number, number>, times: number[]): LoadSeen {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    asked: times.length,
    statuses,
    slowestMs: at(1),
    medianMs: at(0.5),
    p99Ms: at(0.99),
  };
}

/** Formats as `200 x 312, slowest 41 ms`. */
export function loadText({ statuses, slowestMs }: LoadSeen): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${status} x ${count}`);
  return `${counts.join(', ')}, slowest ${Math.round(slowestMs)} ms`;
}

/** Whether every response had this status and came within `withinMs`. */
export function allAre(seen: LoadSeen, status: number, withinMs: number): boolean {
  return seen.asked > 0 && seen.statuses[status] === seen.asked && seen.slowestMs <= withinMs;
}
