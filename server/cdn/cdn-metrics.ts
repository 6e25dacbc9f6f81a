import type { Registry } from '@prometheus-io/client';
import { declareCounter, declareReading } from '#server/ops/metrics/declared-metrics.ts';
import type { PurgeOutcome } from './purge-queue.ts';

/** Registers `cdn_purges_total` and `cdn_purge_queue_length`. Returns what counts a purge call by its outcome. */
export function registerCdnMetrics(
  registry: Registry,
  queueLength: () => number,
): (outcome: PurgeOutcome) => void {
  const purges = declareCounter(registry, 'cdn_purges_total');
  declareReading(registry, 'cdn_purge_queue_length', () => [[{}, queueLength()]]);
  return (outcome) => purges.inc({ outcome });
}
