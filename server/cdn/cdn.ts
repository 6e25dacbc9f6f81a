import type { Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import { request } from 'undici';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Purge } from '#server/cache/purge.ts';
import { traceCall } from '#server/tracing/trace-call.ts';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';
import { type CdnHeaders, createCdnHeaders } from './cdn-headers.ts';
import { registerCdnMetrics } from './cdn-metrics.ts';
import { escapeTag, tagsOfEntry } from './cdn-tags.ts';
import { type CdnConfig, cdnVendor, type PurgeCall } from './cdn-vendors.ts';
import { createPurgeQueue, type PurgeOutcome } from './purge-queue.ts';
import { retryAfterMs } from './retry-after.ts';

/** The CDN in front of the site. */
export interface Cdn {
  headers: CdnHeaders;
  /** Queues what an operator queue. To be called before the entries are gone. Returns how many tags wait. */
  purge(purge: Purge): { queued: number };
  /** Tags that wait to be purged. */
  queueLength(): number;
  /** Sends what waits, once, for at most `ms`. */
  close(ms: number): Promise<void>;
}

export interface CdnDeps {
  config: CdnConfig;
  cache: ContentCache;
  registry: Registry;
  /** Wall milliseconds. */
  wallClock?: () => number;
  logger: Logger;
  tracing?: Tracing;
}

/** A page without data never changes while this build runs. */
const NO_DATA_STALE_SECONDS = 86_400;
/** A purge call has to be done within this time (ms). */
const CALL_TIMEOUT_MS = 10_000;

/**
 * Returns what the configured CDN needs of the site, or null without `CDN`: response headers, and purges of what was seen
 * to change upstream or was purged by an operator.
 */
export function createCdn({
  config,
  cache,
  registry,
  wallClock = Date.now,
  logger,
  tracing = NO_TRACING,
}: CdnDeps): Cdn | null {
  if (config.name === null) return null;
  const vendor = cdnVendor(config.name, config);
  const later = (work: () => void, ms: number) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  };
  const send = (call: PurgeCall) => traceCall(tracing, 'cdn purge', call, () => sendPurge(call, wallClock));
  const onPurged = (outcome: PurgeOutcome) => count(outcome);
  const queue = createPurgeQueue({ vendor, send, later, onPurged, logger });
  const count = registerCdnMetrics(registry, queue.size);
  const tagsOfKey = (key: string) => tagsOfEntry(key, cache.tagsOf([{ key }]));
  cache.onNewValue(({ key, tagsBefore }) => {
    // What was built from the previous value may have another tag: another post may have taken over a slug.
    const tagsOfPrevious = tagsBefore.length > 0 ? tagsOfEntry(key, tagsBefore) : [];
    queue.purgeTags([...tagsOfKey(key), ...tagsOfPrevious], false);
  });
  return {
    headers: createCdnHeaders({
      vendor,
      staleLimits(dependencies) {
        const policies = dependencies.map(({ resource }) => cache.policies.get(resource));
        const least = (of: 'swr' | 'sie') =>
          Math.min(...policies.map((policy) => policy[of]), NO_DATA_STALE_SECONDS);
        return { swr: least('swr'), sie: least('sie') };
      },
      tagsOf: cache.tagsOf,
      isCurrent: (dependencies) => cache.freshFor(dependencies) !== null,
      isSoftlyPurged: cache.isSoftlyPurged,
      isBypass: () => cache.mode.name() === 'bypass',
    }),
    purge({ tags = [], keys = [], all = false, soft = false }) {
      if (all) queue.purgeAll();
      else queue.purgeTags([...tags.map(escapeTag), ...keys.flatMap(tagsOfKey)], soft);
      return { queued: queue.size() };
    },
    queueLength: queue.size,
    close: queue.close,
  };
}

/** Resolves with what the CDN says. Rejects where it cannot be reached in time. */
async function sendPurge({ url, ...call }: PurgeCall, wallClock: () => number) {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const { statusCode, headers, body } = await request(url, { ...call, signal });
  await body.dump();
  return { status: statusCode, retryAfterMs: retryAfterMs(headers['retry-after'], wallClock()) };
}
