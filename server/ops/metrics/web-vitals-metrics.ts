import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import type { WebVitals } from '#shared/models/web-vitals.ts';

/** The bounds of good and poor, and some between and around (web.dev, Web Vitals). */
const PAINT_SECONDS = [0.5, 1, 1.5, 1.8, 2.5, 4, 6, 10];
const INTERACTION_SECONDS = [0.05, 0.1, 0.2, 0.35, 0.5, 1, 2];
const SHIFTS = [0.01, 0.05, 0.1, 0.25, 0.5, 1];

/** What readers' browsers measured, by route template and by the width of the window. */
export function createWebVitalsMetrics(registers: Registry[]): (vitals: WebVitals) => void {
  const labelNames = ['route', 'width'] as const;
  const paints = new Histogram({
    name: 'reader_largest_paint_seconds',
    help: 'Largest contentful paint, of a sample of readers',
    labelNames,
    buckets: PAINT_SECONDS,
    registers,
  });
  const interactions = new Histogram({
    name: 'reader_longest_interaction_seconds',
    help: 'Longest interaction to its next paint, of a sample of readers',
    labelNames,
    buckets: INTERACTION_SECONDS,
    registers,
  });
  const shifts = new Histogram({
    name: 'reader_layout_shift',
    help: 'Cumulative layout shift, of a sample of readers',
    labelNames,
    buckets: SHIFTS,
    registers,
  });
  const chunks = new Counter({
    name: 'reader_failed_chunks_total',
    help: 'Scripts that a page asked for and the server did not have, of a sample of readers',
    labelNames: ['route'] as const,
    registers,
  });
  return ({ route, width, lcp, inp, cls, failedChunks }) => {
    const labels = { route, width };
    if (lcp !== null) paints.observe(labels, lcp / 1000);
    if (inp !== null) interactions.observe(labels, inp / 1000);
    shifts.observe(labels, cls);
    chunks.inc({ route }, failedChunks);
  };
}
