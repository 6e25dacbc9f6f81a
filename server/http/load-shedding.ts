import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { MAX_RENDER_QUEUE } from '#server/render/render-queue.ts';
import type { Renderer } from '#server/render/render-response.ts';
import type { Readiness } from './health.ts';

/** Mean event-loop delay over a sample. Serving a cached page takes well below 1 ms, an uncached one some. */
const MAX_DELAY_MS = 200;
const SAMPLE_MS = 1_000;
/** Share of the heap limit, past which the process would do little but collect garbage. */
const MAX_HEAP_SHARE = 0.9;

export interface LoadMonitorDeps {
  renderer: Pick<Renderer, 'queueLength'>;
  readiness: Pick<Readiness, 'readyForMs'>;
}

export type LoadMonitor = ReturnType<typeof createLoadMonitor>;

/** Makes a load monitor. Samples that began before the server was ready do not count: a start blocks the event loop. */
export function createLoadMonitor({ renderer, readiness }: LoadMonitorDeps) {
  let sampled: FastifyInstance | null = null;
  return {
    /** Whether the process has more work than it can do: event-loop delay, heap, render queue. */
    isOverloaded: (): boolean =>
      // The first sample that ends after readiness may have begun before it; the second has not.
      (sampled !== null && readiness.readyForMs() > 2 * SAMPLE_MS && sampled.isUnderPressure()) ||
      renderer.queueLength() >= MAX_RENDER_QUEUE,
    async plugin(app: FastifyInstance): Promise<void> {
      // Encapsulated: the hook of @fastify/under-pressure then runs for no route.
      await app.register(underPressure, {
        sampleInterval: SAMPLE_MS,
        maxEventLoopDelay: MAX_DELAY_MS,
        maxHeapUsedBytes: getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE,
      });
      sampled = app;
    },
  };
}
