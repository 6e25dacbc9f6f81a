import type { Registry } from '@prometheus-io/client';
import type { WebVitals } from '#shared/models/web-vitals.ts';
import { declareCounter, declareHistogram } from './declared-metrics.ts';

/** The bounds of good and poor (web.dev, Web Vitals), and some between and around. */
const LCP_SECONDS = [0.5, 1, 1.5, 1.8, 2.5, 4, 6, 10];
const INP_SECONDS = [0.05, 0.1, 0.2, 0.35, 0.5, 1, 2];
const CLS_SCORES = [0.01, 0.05, 0.1, 0.25, 0.5, 1];

/** The beacon says how wide the window is. */
const DEVICES = { narrow: 'mobile', wide: 'desktop' } as const satisfies Record<WebVitals['width'], string>;

/** Registers the Web Vitals histograms, by route template and device. Returns what counts one beacon. */
export function createWebVitalsMetrics(registry: Registry): (sample: WebVitals) => void {
  const lcps = declareHistogram(registry, 'web_vitals_lcp_seconds', LCP_SECONDS);
  const inps = declareHistogram(registry, 'web_vitals_inp_seconds', INP_SECONDS);
  const shifts = declareHistogram(registry, 'web_vitals_cls', CLS_SCORES);
  const chunkLoadErrors = declareCounter(registry, 'web_vitals_chunk_load_errors_total');
  return ({ route, width, lcp, inp, cls, failedChunks }) => {
    const labels = { route, device: DEVICES[width] };
    if (lcp !== null) lcps.observe(labels, lcp / 1000);
    if (inp !== null) inps.observe(labels, inp / 1000);
    if (cls !== null) shifts.observe(labels, cls);
    chunkLoadErrors.inc({ route }, failedChunks);
  };
}
