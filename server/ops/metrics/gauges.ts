import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { BuildInfo } from '#server/bootstrap/build-info.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { OutcomeCounts } from '#server/cache/resource-stats.ts';
import type { BreakerState } from '#server/cms/client/circuit-breaker.ts';
import { OUTBOX_KINDS } from '#server/outbox/message.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import type { Renderer } from '#server/render/renderer.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import { MODES } from '#shared/models/cache-modes.ts';
import { RESOURCES } from '#shared/models/resources.ts';

/** The services whose state is read at scrape time. */
export interface GaugeSources {
  cache: Pick<ContentCache, 'stats' | 'mode' | 'refreshes'>;
  responses: Pick<ResponseCache<unknown>, 'entries' | 'bytes' | 'counts'>;
  outbox: Pick<Outbox, 'counts' | 'depth'>;
  renderer: Pick<Renderer, 'queueLength'>;
  breakerState: () => BreakerState;
  build: BuildInfo;
  /** Whether Redis can be used; not given where none is configured. */
  isRedisUp?: (() => boolean) | undefined;
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
  { cache, responses, outbox, renderer, breakerState, build, isRedisUp }: GaugeSources,
): void {
  const registers = [registry];
  registerCacheMetrics(registers, cache, responses);
  registerOutboxMetrics(registers, outbox);
  new Gauge({
    name: 'build_info',
    help: '1, with what runs as labels: version of the package, revision of the source, identity of the client build',
    labelNames: ['version', 'revision', 'client'] as const,
    registers,
    collect() {
      this.set({ ...build }, 1);
    },
  });
  new Gauge({
    name: 'upstream_circuit_breaker_state',
    help: '1 for the state in force of the circuit breaker of upstream reads',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const state of BREAKER_STATES) this.set({ state }, state === breakerState() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'render_queue_length',
    help: 'Renders that are queued, their data loaded; from 200 on, requests that need a render are shed',
    registers,
    collect() {
      this.set(renderer.queueLength());
    },
  });
  if (isRedisUp) {
    new Gauge({
      name: 'redis_up',
      help: '1 while Redis is used; 0: this instance works alone',
      registers,
      collect() {
        this.set(isRedisUp() ? 1 : 0);
      },
    });
  }
}

function registerCacheMetrics(
  registers: Registry[],
  cache: GaugeSources['cache'],
  responses: GaugeSources['responses'],
): void {
  function registerCounter(name: string, help: string, results: Record<string, keyof OutcomeCounts>): void {
    new Counter({
      name,
      help,
      labelNames: ['resource', 'result'] as const,
      registers,
      collect() {
        const stats = cache.stats();
        this.reset();
        for (const resource of RESOURCES)
          for (const [result, count] of Object.entries(results))
            this.inc({ resource, result }, stats[resource][count]);
      },
    });
  }

  registerCounter(
    'cache_requests_total',
    'Reads of the content cache by result; error: loads that failed, refreshes included, beside the result of the read',
    READ_RESULTS,
  );
  new Counter({
    name: 'response_cache_requests_total',
    help: 'Requests for pages, API reads and feeds by result; hit: served from the response cache or coalesced',
    labelNames: ['result'] as const,
    registers,
    collect() {
      const { served, made } = responses.counts();
      this.reset();
      this.inc({ result: 'hit' }, served - made);
      this.inc({ result: 'miss' }, made);
    },
  });
  registerCounter('cache_refreshes_total', 'Background refreshes that ended, by result', REFRESH_RESULTS);
  new Counter({
    name: 'cache_served_age_seconds_total',
    help: 'Sum of the ages of what reads with the result hit or stale were served, since its load from the upstream',
    labelNames: ['resource'] as const,
    registers,
    collect() {
      const stats = cache.stats();
      this.reset();
      for (const resource of RESOURCES) this.inc({ resource }, stats[resource].servedAgeSeconds);
    },
  });
  for (const [name, what] of [
    ['cache_entries', 'entries'],
    ['cache_size_bytes', 'bytes'],
  ] as const) {
    new Gauge({
      name,
      help: `${what} of the content cache by resource, and of the response cache (resource="pages")`,
      labelNames: ['resource'] as const,
      registers,
      collect() {
        const stats = cache.stats();
        for (const resource of RESOURCES) this.set({ resource }, stats[resource][what]);
        this.set({ resource: 'pages' }, responses[what]);
      },
    });
  }
  new Gauge({
    name: 'cache_refresh_queue_length',
    help: 'Background refreshes that are queued; at most 64 run at once',
    registers,
    collect() {
      this.set(cache.refreshes().waiting);
    },
  });
  new Gauge({
    name: 'cache_mode_info',
    help: '1 for the mode in force',
    labelNames: ['mode'] as const,
    registers,
    collect() {
      for (const mode of MODES) this.set({ mode }, mode === cache.mode.name() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'cache_ttl_factor',
    help: 'What every TTL is multiplied by',
    registers,
    collect() {
      this.set(cache.mode.ttlFactor());
    },
  });
}

function registerOutboxMetrics(registers: Registry[], outbox: GaugeSources['outbox']): void {
  new Gauge({
    name: 'outbox_messages',
    help: 'Messages in the outbox; rejected: kept until an operator retries them',
    labelNames: ['kind', 'state'] as const,
    registers,
    collect() {
      const counts = outbox.counts();
      for (const kind of OUTBOX_KINDS)
        for (const state of MESSAGE_STATES) {
          const meant = counts.filter((count) => count.kind === kind && count.state === state);
          this.set(
            { kind, state },
            meant.reduce((sum, { n }) => sum + n, 0),
          );
        }
    },
  });
  new Gauge({
    name: 'outbox_oldest_message_age_seconds',
    help: 'Age of the oldest pending message; 0 while none is pending',
    registers,
    collect() {
      this.set(outbox.depth().oldestSeconds);
    },
  });
}
