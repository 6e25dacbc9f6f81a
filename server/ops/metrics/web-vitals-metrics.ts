import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import type { WebVitals } from '#shared/models/web-vitals.ts';

/** The bounds of good and poor (web.dev, Web Vitals), and some between and around. */
const LCP_SECONDS = [0.5, 1, 1.5, 1.8, 2.5, 4, 6, 10];
const INP_SECONDS = [0.05, 0.1, 0.2, 0.35, 0.5, 1, 2];
const CLS_SCORES = [0.01, 0.05, 0.1, 0.25, 0.5, 1];

/** The beacon says how wide the window is. */
const DEVICES = { narrow: 'mobile', wide: 'desktop' } as const satisfies Record<WebVitals['width'], string>;

/** Registers the Web Vitals histograms, by route template and device. Returns what counts one beacon. */
export function createWebVitalsMetrics(registers: Registry[]): (sample: WebVitals) => void {
  const labelNames = ['route', 'device'] as const;
  const lcps = new Histogram({
    name: 'web_vitals_lcp_seconds',
    help: 'Largest Contentful Paint, of a sample of documents',
    labelNames,
    buckets: LCP_SECONDS,
    registers,
  });
  const inps = new Histogram({
    name: 'web_vitals_inp_seconds',
    help: 'Interaction to Next Paint, of a sample of documents',
    labelNames,
    buckets: INP_SECONDS,
    registers,
  });
  const shifts = new Histogram({
    name: 'web_vitals_cls',
    help: 'Cumulative Layout Shift, of a sample of documents',
    labelNames,
    buckets: CLS_SCORES,
    registers,
  });
  const chunkLoadErrors = new Counter({
    name: 'web_vitals_chunk_load_errors_total',
    help: 'Scripts that a page asked for and did not get, of a sample of documents',
    labelNames: ['route'] as const,
    registers,
  });
  return ({ route, width, lcp, inp, cls, failedChunks }) => {
    const labels = { route, device: DEVICES[width] };
    if (lcp !== null) lcps.observe(labels, lcp / 1000);
    if (inp !== null) inps.observe(labels, inp / 1000);
    shifts.observe(labels, cls);
    chunkLoadErrors.inc({ route }, failedChunks);
  };
}
