import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { Overloaded } from '#server/errors.ts';
import type { Renderer } from '#server/render/renderer.ts';
import type { ResponseCache } from '#server/render/response-cache.ts';
import type { Readiness } from './readiness.ts';

/** Mean delay of the event loop over a sample: a warm page costs less than one of these, an uncached one some. */
const MAX_DELAY_MS = 200;
const SAMPLE_MS = 1_000;
/** Of the heap's limit; past it the process is about to be collecting garbage and nothing else. */
const HEAP_SHARE = 0.9;

/** Pages that wait to be drawn: some milliseconds each, so that the last would wait a second. */
const MOST_WAITING = 200;

export interface LoadSheddingOptions {
  renderer: Pick<Renderer, 'waiting'>;
  readiness: Pick<Readiness, 'readyForMs'>;
  /** How often the event loop's delay is sampled. */
  sampleMs?: number;
}

/**
 * Watches the process and the pages that wait to be drawn, and tells whether it is overloaded. A start blocks the event
 * loop itself: samples that began before the server was ready do not count. The plugin's own hook stays in a context
 * without routes: a warm page pays nothing.
 */
export async function watchLoad(
  app: FastifyInstance,
  { renderer, readiness, sampleMs = SAMPLE_MS }: LoadSheddingOptions,
): Promise<() => boolean> {
  let isUnderPressure = () => false;
  await app.register(async (watch) => {
    await watch.register(underPressure, {
      sampleInterval: sampleMs,
      maxEventLoopDelay: MAX_DELAY_MS,
      maxHeapUsedBytes: getHeapStatistics().heap_size_limit * HEAP_SHARE,
    });
    // The first sample that ends after readiness may have begun before it; the second has not.
    isUnderPressure = () => readiness.readyForMs() > 2 * sampleMs && watch.isUnderPressure();
  });
  return () => isUnderPressure() || renderer.waiting() >= MOST_WAITING;
}

/** Finished answers as `responses` has them; one that would have to be made under pressure is `Overloaded`. */
export function shedUncachedPages<Extra>(
  responses: Pick<ResponseCache<Extra>, 'cached' | 'get'>,
  isUnderPressure: () => boolean,
): Pick<ResponseCache<Extra>, 'cached' | 'get'> {
  return {
    cached: responses.cached,
    async get(key, build) {
      const cached = responses.cached(key);
      if (cached) return cached;
      if (isUnderPressure()) throw new Overloaded();
      return responses.get(key, build);
    },
  };
}
