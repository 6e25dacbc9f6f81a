import type { Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { OutcomeCounts, ResourceStats } from '#server/cache/resource-stats.ts';
import type { BreakerState } from '#server/cms/client/circuit-breaker.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import type { BuildInfo } from '#server/process/build-info.ts';
import type { Renderer } from '#server/render/render-response.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import { MODES } from '#shared/models/cache-modes.ts';
import { OUTBOX_KINDS } from '#shared/models/outbox-kinds.ts';
import { registerReading, type Series } from './register-metrics.ts';

/** The services whose state is read at scrape time. */
export interface GaugeSources {
  cache: Pick<ContentCache, 'stats' | 'mode' | 'waitingRefreshes' | 'isUpstreamMissingContent'>;
  responses: Pick<ResponseCache<unknown>, 'entries' | 'bytes'>;
  outbox: Pick<Outbox, 'counts' | 'depth' | 'isDiskUsable'>;
  renderer: Pick<Renderer, 'queueLength'>;
  breakerState: () => BreakerState;
  build: BuildInfo;
  /** Whether Redis can be used; not given where none is configured. */
  isRedisUp?: (() => boolean) | undefined;
  /** Whether the last change of the site folder is in force; not given where there is none. */
  isSiteFolderValid?: (() => boolean) | undefined;
}

/** Counts of the cache by the value of the label `result`. */
const READ_RESULTS = {
  hit: 'hits',
  miss: 'misses',
  stale: 'staleHits',
  coalesced: 'coalesced',
  error: 'errors',
} as const satisfies Record<string, keyof OutcomeCounts>;
const REFRESH_RESULTS = {
  success: 'refreshSuccesses',
  error: 'refreshErrors',
} as const satisfies Record<string, keyof OutcomeCounts>;
const BREAKER_STATES: readonly BreakerState[] = ['closed', 'half-open', 'open'];
/** States of which messages are kept to be acted on: the values of the label `state`. */
const MESSAGE_STATES = ['pending', 'rejected'] as const;

/** Registers the metrics that services know of themselves: they are read at each scrape and cost a request nothing. */
export function registerGauges(
  registry: Registry,
  { cache, responses, outbox, renderer, breakerState, build, isRedisUp, isSiteFolderValid }: GaugeSources,
): void {
  const read = registerReading.bind(null, registry);

  const byResource = (value: (stats: ResourceStats) => number): Series[] =>
    Object.entries(cache.stats()).map(([resource, stats]) => [{ resource }, value(stats)]);

  const withPages = (size: 'entries' | 'bytes'): Series[] => [
    ...byResource((stats) => stats[size]),
    [{ resource: 'pages' }, responses[size]],
  ];

  const byResult = (results: Record<string, keyof OutcomeCounts>): Series[] =>
    Object.entries(cache.stats()).flatMap(([resource, stats]) =>
      Object.entries(results).map(([result, count]): Series => [{ resource, result }, stats[count]]),
    );

  if (isSiteFolderValid) read('site_folder_valid', () => [[{}, isSiteFolderValid() ? 1 : 0]]);
  read('build_info', () => [[{ ...build }, 1]]);
  read('upstream_circuit_breaker_state', () =>
    BREAKER_STATES.map((state) => [{ state }, state === breakerState() ? 1 : 0]),
  );
  read('render_queue_length', () => [[{}, renderer.queueLength()]]);
  if (isRedisUp) read('redis_up', () => [[{}, isRedisUp() ? 1 : 0]]);
  read('cache_requests_total', () => byResult(READ_RESULTS));
  read('cache_refreshes_total', () => byResult(REFRESH_RESULTS));
  read('cache_served_age_seconds_total', () => byResource(({ servedAgeSeconds }) => servedAgeSeconds));
  read('cache_entries', () => withPages('entries'));
  read('cache_size_bytes', () => withPages('bytes'));
  read('cache_refresh_queue_length', () => [[{}, cache.waitingRefreshes()]]);
  read('upstream_content_missing', () => [[{}, cache.isUpstreamMissingContent() ? 1 : 0]]);
  read('cache_mode_info', () => MODES.map((mode) => [{ mode }, mode === cache.mode.name() ? 1 : 0]));
  read('cache_ttl_factor', () => [[{}, cache.mode.ttlFactor()]]);
  read('outbox_messages', () => [
    ...OUTBOX_KINDS.flatMap((kind) => MESSAGE_STATES.map((state): Series => [{ kind, state }, 0])),
    ...outbox.counts().map(({ kind, state, n }): Series => [{ kind, state }, n]),
  ]);
  read('outbox_oldest_message_age_seconds', () => [[{}, outbox.depth().oldestSeconds]]);
  read('outbox_disk_usable', () => [[{}, outbox.isDiskUsable() ? 1 : 0]]);
}
