import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { OutcomeCounts, ResourceStats } from '#server/cache/resource-stats.ts';
import type { BreakerState } from '#server/cms/client/circuit-breaker.ts';
import { OUTBOX_KINDS } from '#server/outbox/message.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import type { BuildInfo } from '#server/process/build-info.ts';
import type { Renderer } from '#server/render/renderer.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import { MODES } from '#shared/models/cache-modes.ts';

/** The services whose state is read at scrape time. */
export interface GaugeSources {
  cache: Pick<ContentCache, 'stats' | 'mode' | 'refreshes' | 'isUpstreamMissingContent'>;
  responses: Pick<ResponseCache<unknown>, 'entries' | 'bytes' | 'counts'>;
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

/** Labels and value of a series. */
type Series = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Registers the metrics that services know of themselves: they are read at each scrape and cost a request nothing. */
export function registerGauges(
  registry: Registry,
  { cache, responses, outbox, renderer, breakerState, build, isRedisUp, isSiteFolderValid }: GaugeSources,
): void {
  const registers = [registry];

  function gauge(name: string, help: string, labelNames: readonly string[], read: () => readonly Series[]) {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  }

  function counter(name: string, help: string, labelNames: readonly string[], read: () => readonly Series[]) {
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  }

  /** The value of each resource's statistics. */
  const byResource = (value: (stats: ResourceStats) => number): Series[] =>
    Object.entries(cache.stats()).map(([resource, stats]) => [{ resource }, value(stats)]);

  const byResult = (results: Record<string, keyof OutcomeCounts>): Series[] =>
    Object.entries(cache.stats()).flatMap(([resource, stats]) =>
      Object.entries(results).map(([result, count]): Series => [{ resource, result }, stats[count]]),
    );

  gauge(
    'build_info',
    '1, with what runs as labels: version of the package, revision of the source, identity of the client build',
    ['version', 'revision', 'client'],
    () => [[{ ...build }, 1]],
  );
  gauge(
    'upstream_circuit_breaker_state',
    '1 for the state in force of the circuit breaker of upstream reads',
    ['state'],
    () => BREAKER_STATES.map((state) => [{ state }, state === breakerState() ? 1 : 0]),
  );
  gauge(
    'render_queue_length',
    'Renders that are queued, their data loaded; from 200 on, requests that need a render are shed',
    [],
    () => [[{}, renderer.queueLength()]],
  );
  if (isRedisUp)
    gauge('redis_up', '1 while Redis is used; 0: this instance works alone', [], () => [
      [{}, isRedisUp() ? 1 : 0],
    ]);

  if (isSiteFolderValid)
    gauge(
      'site_folder_valid',
      '0 while the last change of the site folder has a mistake, so that the state before it is in force',
      [],
      () => [[{}, isSiteFolderValid() ? 1 : 0]],
    );

  counter(
    'cache_requests_total',
    'Reads of the content cache by result; error: loads that failed, refreshes included, beside the result of the read',
    ['resource', 'result'],
    () => byResult(READ_RESULTS),
  );
  counter('cache_refreshes_total', 'Background refreshes that ended, by result', ['resource', 'result'], () =>
    byResult(REFRESH_RESULTS),
  );
  counter(
    'cache_served_age_seconds_total',
    'Sum of the ages of what reads with the result hit or stale were served, since its load from the upstream',
    ['resource'],
    () => byResource(({ servedAgeSeconds }) => servedAgeSeconds),
  );
  counter(
    'response_cache_requests_total',
    'Requests for pages, API reads and feeds by result; hit: served from the response cache or coalesced',
    ['result'],
    () => {
      const { served, made } = responses.counts();
      return [
        [{ result: 'hit' }, served - made],
        [{ result: 'miss' }, made],
      ];
    },
  );
  for (const [name, what] of [
    ['cache_entries', 'entries'],
    ['cache_size_bytes', 'bytes'],
  ] as const)
    gauge(
      name,
      `${what} of the content cache by resource, and of the response cache (resource="pages")`,
      ['resource'],
      () => [...byResource((stats) => stats[what]), [{ resource: 'pages' }, responses[what]]],
    );
  gauge(
    'cache_refresh_queue_length',
    'Background refreshes that are queued; at most 64 run at once',
    [],
    () => [[{}, cache.refreshes().waiting]],
  );
  gauge(
    'upstream_content_missing',
    '1 while much of what was cached is missing upstream, so that it is served as before',
    [],
    () => [[{}, cache.isUpstreamMissingContent() ? 1 : 0]],
  );
  gauge('cache_mode_info', '1 for the mode in force', ['mode'], () =>
    MODES.map((mode) => [{ mode }, mode === cache.mode.name() ? 1 : 0]),
  );
  gauge('cache_ttl_factor', 'What every TTL is multiplied by', [], () => [[{}, cache.mode.ttlFactor()]]);

  gauge(
    'outbox_messages',
    'Messages in the outbox; rejected: kept until an operator retries them',
    ['kind', 'state'],
    () => {
      const counts = outbox.counts();
      return OUTBOX_KINDS.flatMap((kind) =>
        MESSAGE_STATES.map((state): Series => {
          const meant = counts.filter((count) => count.kind === kind && count.state === state);
          return [{ kind, state }, meant.reduce((sum, { n }) => sum + n, 0)];
        }),
      );
    },
  );
  gauge(
    'outbox_oldest_message_age_seconds',
    'Age of the oldest pending message; 0 while none is pending',
    [],
    () => [[{}, outbox.depth().oldestSeconds]],
  );
  gauge(
    'outbox_disk_usable',
    '0 while the disk of the outbox takes no messages; it is tried again each minute',
    [],
    () => [[{}, outbox.isDiskUsable() ? 1 : 0]],
  );
}
