import type { Tracing } from '#server/tracing/tracing.ts';
import { Absent, type CacheQuery } from './cache-query.ts';
import type { ReadStates } from './dependencies/dependency-tracker.ts';

interface TracedRead {
  tracker: ReadStates;
  isLoading: (key: string) => boolean;
}

/** Runs a read of the content cache in a span with its result, in the words of the metric `cache_requests_total`; `absent` for negative caching. */
export function traceRead<T>(
  tracing: Pick<Tracing, 'child'>,
  { key, resource }: CacheQuery<T>,
  { tracker, isLoading }: TracedRead,
  read: () => Promise<T>,
): Promise<T> {
  return tracing.child('cache get', {}, async (span) => {
    const isJoining = isLoading(key);
    let result = 'error';
    try {
      const value = await read();
      result = resultOf(key, tracker, isJoining);
      return value;
    } catch (error) {
      if (error instanceof Absent) result = 'absent';
      throw error;
    } finally {
      span.setAttributes({ 'cache.resource': resource, 'cache.result': result });
    }
  });
}

function resultOf(key: string, { loaded, stale }: ReadStates, isJoining: boolean): string {
  if (loaded.has(key)) return isJoining ? 'coalesced' : 'miss';
  return stale.has(key) ? 'stale' : 'hit';
}
