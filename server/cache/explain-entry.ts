import type { CacheEntry } from './cache-entry.ts';
import type { FreshnessState } from './freshness.ts';

/** What the cache knows of one answer. Times in seconds. */
export interface ExplainedEntry {
  key: string;
  resource: string;
  /** `stale-if-error`: past `swr`, served only while its load fails. `expired`: past every age. `absent`: the upstream's no. */
  state: 'fresh' | 'stale' | 'stale-if-error' | 'expired' | 'absent' | 'missing';
  /** Since the upstream last gave it. Null where there is no copy. */
  ageSeconds: number | null;
  /** When it is due to be asked for again, by its next reader: 0 is now. Null where there is no copy. */
  nextRefreshSeconds: number | null;
  tags: string[];
  bytes: number;
  version: number | null;
  loading: boolean;
  /** How its last load ended, as far as it is remembered. */
  lastOutcome: 'loaded' | 'failed' | 'absent' | 'unknown';
  lastError: { message: string; secondsAgo: number } | null;
}

/** What an explanation is made of. Moments are monotonic milliseconds. */
export interface KnownResponse {
  key: string;
  resource: string;
  copy: { entry: CacheEntry; state: FreshnessState; freshUntil: number } | null;
  denied: boolean;
  loading: boolean;
  failure: { at: number; error: unknown } | null;
  now: number;
}

/** The state of one answer in words and seconds. */
export function explainEntry({
  key,
  resource,
  copy,
  denied,
  loading,
  failure,
  now,
}: KnownResponse): ExplainedEntry {
  const lastError = failure
    ? { message: wordsOf(failure.error), secondsAgo: seconds(now - failure.at) }
    : null;
  const known = { key, resource, loading, lastError };
  if (!copy) {
    const lastOutcome = denied ? 'absent' : failure ? 'failed' : 'unknown';
    const nothing = { ageSeconds: null, nextRefreshSeconds: null, tags: [], bytes: 0, version: null };
    return { ...known, ...nothing, state: denied ? 'absent' : 'missing', lastOutcome };
  }
  const { entry, state, freshUntil } = copy;
  return {
    ...known,
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

/** Errors of loads name the call and what went wrong, nothing of a reader. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
