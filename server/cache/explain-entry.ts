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
  lastError: { message: string; secondsAgo: number } | null;
}

/** What is known of a key. Times in monotonic milliseconds. */
interface KnownEntry extends Pick<ExplainedEntry, 'key' | 'resource'> {
  cached: { entry: CacheEntry; state: FreshnessState; freshUntil: number } | null;
  isAbsent: boolean;
  failure: { at: number; error: unknown } | null;
  now: number;
}

export function explainEntry({ cached, isAbsent, failure, now, ...common }: KnownEntry): ExplainedEntry {
  const entry = cached?.entry;
  return {
    ...common,
    state: cached?.state ?? (isAbsent ? 'absent' : 'missing'),
    ageSeconds: entry ? seconds(now - entry.storedAt) : null,
    nextRefreshSeconds: cached && seconds(Math.max(0, cached.freshUntil - now)),
    tags: entry?.tags ?? [],
    bytes: entry?.bytes ?? 0,
    version: entry?.version ?? null,
    lastError: failure && { message: messageOf(failure.error), secondsAgo: seconds(now - failure.at) },
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** Load errors name the call and what failed, and contain no personal data. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
