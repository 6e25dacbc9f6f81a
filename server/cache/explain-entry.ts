import type { CacheEntry } from './cache-entry.ts';
import type { FreshnessState } from './freshness.ts';

/** What the cache knows of one key, for operators. Times in seconds. */
export interface ExplainedEntry {
  key: string;
  resource: string;
  /** `stale-if-error`: past `swr`, served only while loading fails. `expired`: past every age. `absent`: not found upstream. */
  state: 'fresh' | 'stale' | 'stale-if-error' | 'expired' | 'absent' | 'missing';
  /** Since it was loaded from the upstream. Null where nothing is cached. */
  ageSeconds: number | null;
  /** Until a read refreshes it: 0 if the next one does. Null where nothing is cached. */
  nextRefreshSeconds: number | null;
  tags: string[];
  bytes: number;
  version: number | null;
  loading: boolean;
  /** Outcome of the last load, as far as it is remembered. */
  lastOutcome: 'loaded' | 'failed' | 'absent' | 'unknown';
  lastError: { message: string; secondsAgo: number } | null;
}

/** Times in monotonic milliseconds. */
export interface ExplainInput {
  key: string;
  resource: string;
  cached: { entry: CacheEntry; state: FreshnessState; freshUntil: number } | null;
  isAbsent: boolean;
  loading: boolean;
  failure: { at: number; error: unknown } | null;
  now: number;
}

export function explainEntry({
  key,
  resource,
  cached,
  isAbsent,
  loading,
  failure,
  now,
}: ExplainInput): ExplainedEntry {
  const lastError = failure
    ? { message: messageOf(failure.error), secondsAgo: seconds(now - failure.at) }
    : null;
  const common = { key, resource, loading, lastError };
  if (!cached) {
    const lastOutcome = isAbsent ? 'absent' : failure ? 'failed' : 'unknown';
    const empty = { ageSeconds: null, nextRefreshSeconds: null, tags: [], bytes: 0, version: null };
    return { ...common, ...empty, state: isAbsent ? 'absent' : 'missing', lastOutcome };
  }
  const { entry, state, freshUntil } = cached;
  return {
    ...common,
    state,
    ageSeconds: seconds(now - entry.storedAt),
    nextRefreshSeconds: seconds(Math.max(0, freshUntil - now)),
    tags: entry.tags,
    bytes: entry.bytes,
    version: entry.version,
    lastOutcome: failure ? 'failed' : 'loaded',
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** Load errors name the call and what failed, and contain no personal data. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
