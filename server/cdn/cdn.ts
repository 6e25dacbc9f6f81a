import type { Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import { request } from 'undici';
import type { Purge } from '#server/cache/cache-events.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Config } from '#server/config/config.ts';
import { registerCounter, registerReading } from '#server/ops/metrics/register-metrics.ts';
import { createCdnHeaders } from './cdn-headers.ts';
import { escapeTag, tagsOfEntry } from './cdn-tags.ts';
import { cdnVendor, type PurgeCall } from './cdn-vendors.ts';
import { createPurgeQueue } from './purge-queue.ts';

/** The CDN in front of the site. */
export type Cdn = NonNullable<ReturnType<typeof createCdn>>;

export interface CdnDeps {
  config: Config['cdn'];
  cache: ContentCache;
  registry: Registry;
  logger: Logger;
}

/** A purge call has to be done within this time (ms). */
const CALL_TIMEOUT_MS = 10_000;

/**
 * Returns what the configured CDN needs of the site, or null without `CDN`: response headers, and purges of what was seen
 * to change upstream or was purged by an operator.
 */
export function createCdn({ config, cache, registry, logger }: CdnDeps) {
  if (config.name === null) return null;
  const vendor = cdnVendor(config.name, config);
  const purges = registerCounter(registry, 'cdn_purges_total');
  const queue = createPurgeQueue({
    vendor,
    send: sendPurge,
    onPurged: (outcome) => purges.inc({ outcome }),
    logger,
  });
  registerReading(registry, 'cdn_purge_queue_length', () => [[{}, queue.size()]]);
  const tagsOfKey = (key: string) => tagsOfEntry(key, cache.tagsOf([{ key }]));
  cache.onNewValue(({ key, tagsBefore }) => {
    // What was built from the previous value may have another tag: another post may have taken over a slug.
    const tagsOfPrevious = tagsBefore.length > 0 ? tagsOfEntry(key, tagsBefore) : [];
    queue.purgeTags([...tagsOfKey(key), ...tagsOfPrevious], false);
  });
  return {
    headers: createCdnHeaders(vendor, cache),
    /** Queues what an operator purges. To be called before the entries are gone. Returns how many tags wait. */
    purge({ tags = [], keys = [], all = false, soft = false }: Purge): { queued: number } {
      if (all) queue.purgeAll();
      else queue.purgeTags([...tags.map(escapeTag), ...keys.flatMap(tagsOfKey)], soft);
      return { queued: queue.size() };
    },
    close: queue.close,
  };
}

/** Resolves with the status of the CDN's response. Rejects where it cannot be reached in time. */
async function sendPurge({ url, ...call }: PurgeCall): Promise<{ status: number }> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const { statusCode, body } = await request(url, { ...call, signal });
  await body.dump();
  return { status: statusCode };
}
