import type { Registry } from '@prometheus-io/client';
import type { z } from 'zod';
import { quantile } from '#server/ops/live/live-metrics.ts';
import { bucketsOf, type Sample, samplesOf } from '#server/ops/live/live-totals.ts';
import type { WebVitalsResponse } from '#server/ops/ops-schemas.ts';

/** What three of four readers have, or better: the measure of web.dev. */
const QUANTILE = 0.75;

/**
 * Sums up what readers' browsers measured since the start, out of the histograms of the metrics; the most read pages
 * first. Times in seconds; null where nobody measured any.
 */
export async function summariseWebVitals(registry: Registry): Promise<z.output<typeof WebVitalsResponse>> {
  const [paints = [], interactions = [], shifts = [], chunks = []] = await Promise.all(
    [
      'reader_largest_paint_seconds',
      'reader_longest_interaction_seconds',
      'reader_layout_shift',
      'reader_failed_chunks_total',
    ].map((name) => samplesOf(registry, name)),
  );
  const documents = shifts.filter(({ metricName }) => metricName?.endsWith('_count'));
  return {
    pages: documents
      .map(({ labels, value }) => ({
        route: String(labels['route']),
        width: String(labels['width']),
        documents: value,
        largestPaint: quantileOf(paints, labels),
        longestInteraction: quantileOf(interactions, labels),
        layoutShift: quantileOf(shifts, labels),
      }))
      .sort((one, other) => other.documents - one.documents),
    failedChunks: chunks
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => ({ route: String(labels['route']), count: value })),
  };
}

function quantileOf(samples: readonly Sample[], { route, width }: Sample['labels']): number | null {
  const buckets = bucketsOf(
    samples.filter(({ labels }) => labels['route'] === route && labels['width'] === width),
  );
  return (buckets.at(-1)?.count ?? 0) > 0 ? quantile(QUANTILE, buckets) : null;
}
