import type { ListedRow, OutboxCount, OutboxKind } from './outbox-row.ts';

/** What an operator sees of an item: nothing personal. */
export interface OutboxEntry {
  id: number;
  kind: OutboxKind;
  state: 'waiting' | 'refused';
  attempts: number;
  lastError: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601: not before this; null where no attempt is planned. */
  nextAttemptAt: string | null;
}

/** How much waits. */
export interface OutboxDepth {
  submissions: number;
  /** On disk and in memory. */
  views: number;
  refused: number;
  /** Age of the oldest that waits on disk. */
  oldestSeconds: number;
}

/** A row for operators. `nextAttempt`: wall-clock milliseconds. */
export function entryOf(row: ListedRow, nextAttempt: number | null): OutboxEntry {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state === 'refused' ? 'refused' : 'waiting',
    attempts: row.attempts,
    lastError: row.last_error,
    createdAt: new Date(row.created_at).toISOString(),
    nextAttemptAt: nextAttempt === null ? null : new Date(nextAttempt).toISOString(),
  };
}

/** Sums up what is on disk and the views in memory. `oldest`, `now`: wall-clock milliseconds. */
export function depthOf(
  counts: readonly OutboxCount[],
  viewsInMemory: number,
  oldest: number | null,
  now: number,
): OutboxDepth {
  const sum = (some: readonly OutboxCount[]) => some.reduce((total, { n }) => total + n, 0);
  const waiting = counts.filter(({ state }) => state === 'waiting');
  return {
    submissions: sum(waiting.filter(({ kind }) => kind !== 'view')),
    views: sum(waiting.filter(({ kind }) => kind === 'view')) + viewsInMemory,
    refused: sum(counts.filter(({ state }) => state === 'refused')),
    oldestSeconds: Math.round(Math.max(0, now - (oldest ?? now)) / 1000),
  };
}
