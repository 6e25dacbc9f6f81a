import type { Clock } from '#server/time.ts';
import type { EntryStore } from './entry-store.ts';
import type { Freshness } from './freshness.ts';
import type { FailureCache } from './loading/failure-cache.ts';

export interface ExplanationDeps {
  store: Pick<EntryStore, 'peek'>;
  freshness: Freshness;
  failureCache: Pick<FailureCache, 'isAbsent' | 'lastFailure'>;
  clock: Clock;
}

/**
 * Creates the description of a key for operators, which loads nothing and counts no read. What only an entry has is null without
 * one. `ageSeconds`: since it was loaded from the upstream. `nextRefreshSeconds`: until a read refreshes it, 0 if the next does.
 */
export function createExplanation({ store, freshness, failureCache, clock }: ExplanationDeps) {
  return (key: string, resource: string) => {
    const now = clock.monotonic();
    const entry = store.peek(key);
    const failure = failureCache.lastFailure(key);
    const stateWithout = failureCache.isAbsent(key) ? ('absent' as const) : ('missing' as const);
    return {
      key,
      resource,
      state: entry ? freshness.stateOf(entry, now) : stateWithout,
      ageSeconds: entry ? seconds(now - entry.storedAt) : null,
      nextRefreshSeconds: entry ? seconds(Math.max(0, freshness.freshUntil(entry) - now)) : null,
      tags: entry?.tags ?? [],
      bytes: entry?.bytes ?? 0,
      version: entry?.version ?? null,
      lastError: failure && { message: messageOf(failure.error), secondsAgo: seconds(now - failure.at) },
    };
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** Load errors name the call and what failed, and contain no personal data. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
