import type { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { countOf, quantile } from '#server/ops/metrics-stream/live-metrics.ts';
import { bucketsOf, type Sample, samplesOf } from '#server/ops/metrics-stream/live-totals.ts';
import { problems } from '#server/ops/ops-responses.ts';
import { WebVitalsResponse } from '#shared/models/ops/ops-schemas.ts';

/** Web Vitals are judged by their 75th percentile (web.dev). */
const QUANTILE = 0.75;

/** Serves the summary of the Web Vitals. */
export async function webVitalsSummaryRoutes(
  app: FastifyInstance,
  { registry }: { registry: Registry },
): Promise<void> {
  app.get(
    '/readers',
    {
      schema: {
        summary:
          'Web Vitals since the start, by page and device: the 75th percentile of a sample of documents',
        response: { 200: WebVitalsResponse, ...problems },
      },
    },
    () => summariseWebVitals(registry),
  );
}

/**
 * Returns the 75th percentile of each Web Vital since the start by page and device, from the Prometheus histograms; pages
 * with most documents first. Null where nothing was measured.
 */
async function summariseWebVitals(registry: Registry): Promise<z.output<typeof WebVitalsResponse>> {
  const [lcps = [], inps = [], shifts = [], chunkLoadErrors = []] = await Promise.all(
    [
      'web_vitals_lcp_seconds',
      'web_vitals_inp_seconds',
      'web_vitals_cls',
      'web_vitals_chunk_load_errors_total',
    ].map((name) => samplesOf(registry, name)),
  );
  const documents = shifts.filter(({ metricName }) => metricName?.endsWith('_count'));
  return {
    pages: documents
      .map(({ labels, value }) => ({
        route: String(labels['route']),
        device: String(labels['device']),
        documents: value,
        lcpSeconds: quantileOf(lcps, labels),
        inpSeconds: quantileOf(inps, labels),
        cls: quantileOf(shifts, labels),
      }))
      .sort((one, other) => other.documents - one.documents),
    chunkLoadErrors: chunkLoadErrors
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => ({ route: String(labels['route']), count: value })),
  };
}

function quantileOf(samples: readonly Sample[], { route, device }: Sample['labels']): number | null {
  const buckets = bucketsOf(
    samples.filter(({ labels }) => labels['route'] === route && labels['device'] === device),
  );
  return countOf(buckets) > 0 ? quantile(QUANTILE, buckets) : null;
}
