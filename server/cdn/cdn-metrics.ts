import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { PurgeOutcome } from './purge-queue.ts';

/** Registers `cdn_purges_total` and `cdn_purge_queue_length`. Returns what counts a purge call by its outcome. */
export function registerCdnMetrics(
  registry: Registry,
  queueLength: () => number,
): (outcome: PurgeOutcome) => void {
  const purges = new Counter({
    name: 'cdn_purges_total',
    help: 'Purge calls to the CDN',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  new Gauge({
    name: 'cdn_purge_queue_length',
    help: 'Tags waiting to be purged at the CDN',
    registers: [registry],
    collect() {
      this.set(queueLength());
    },
  });
  return (outcome) => purges.inc({ outcome });
}
