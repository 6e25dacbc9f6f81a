import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { MODES } from '#server/cache/cache-mode.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { RESOURCES } from '#server/cache/resources.ts';
import type { BreakerState } from '#server/cms/client/circuit-breaker.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import type { Renderer } from '#server/render/renderer.ts';

/** The parts of a site whose state is read when somebody asks for the metrics. */
export interface GaugeSources {
  cache: Pick<ContentCache, 'stats' | 'mode' | 'refreshes'>;
  responses: { readonly entries: number; readonly bytes: number };
  outbox: Pick<Outbox, 'depth'>;
  renderer: Pick<Renderer, 'waiting'>;
  breakerState: () => BreakerState;
  /** Whether Redis is asked; not given where there is none. */
  isRedisUp?: (() => boolean) | undefined;
}

const OUTCOMES = ['hits', 'misses', 'staleHits', 'coalesced', 'refreshes', 'errors'] as const;
const BREAKER_STATES: readonly BreakerState[] = ['closed', 'half-open', 'open'];

/** Adds to a registry what the parts know of themselves: reading it costs a request nothing. */
export function registerGauges(
  registry: Registry,
  { cache, responses, outbox, renderer, breakerState, isRedisUp }: GaugeSources,
): void {
  const registers = [registry];
  observeCache(registers, cache, responses);
  new Gauge({
    name: 'upstream_breaker',
    help: '1 for the state the breaker is in',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const state of BREAKER_STATES) this.set({ state }, state === breakerState() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'pages_waiting',
    help: 'Pages whose data is there and that are not drawn yet; from 200 on, new ones are shed',
    registers,
    collect() {
      this.set(renderer.waiting());
    },
  });
  if (isRedisUp) {
    new Gauge({
      name: 'redis_up',
      help: '1 while Redis is asked; 0: this instance works alone',
      registers,
      collect() {
        this.set(isRedisUp() ? 1 : 0);
      },
    });
  }
  new Gauge({
    name: 'outbox_items',
    help: 'What waits in the outbox, and what was refused for good',
    labelNames: ['what'] as const,
    registers,
    collect() {
      const { submissions, views, refused } = outbox.depth();
      this.set({ what: 'submissions' }, submissions);
      this.set({ what: 'views' }, views);
      this.set({ what: 'refused' }, refused);
    },
  });
  new Gauge({
    name: 'outbox_oldest_seconds',
    help: 'How long the oldest item has waited',
    registers,
    collect() {
      this.set(outbox.depth().oldestSeconds);
    },
  });
}

function observeCache(
  registers: Registry[],
  cache: GaugeSources['cache'],
  responses: GaugeSources['responses'],
): void {
  new Counter({
    name: 'cache_outcomes_total',
    help: 'What reads, loads and refreshes of the content cache came to',
    labelNames: ['resource', 'outcome'] as const,
    registers,
    collect() {
      const stats = cache.stats();
      this.reset();
      for (const resource of RESOURCES)
        for (const outcome of OUTCOMES) this.inc({ resource, outcome }, stats[resource][outcome]);
    },
  });
  for (const what of ['entries', 'bytes'] as const) {
    new Gauge({
      name: `cache_${what}`,
      help: `${what} of the content cache by resource, and of the finished pages`,
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
    name: 'cache_refreshes',
    help: 'Background refreshes under way and waiting for their turn',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { running, waiting } = cache.refreshes();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'cache_mode',
    help: '1 for the mode in force',
    labelNames: ['mode'] as const,
    registers,
    collect() {
      for (const mode of MODES) this.set({ mode }, mode === cache.mode.name() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'cache_ttl_factor',
    help: 'What every ttl is multiplied by',
    registers,
    collect() {
      this.set(cache.mode.ttlFactor());
    },
  });
}
