import type { WebVitals } from '#shared/models/web-vitals.ts';

/** A session of shifts ends after a second without one, or after five (web.dev, Cumulative Layout Shift). */
const SHIFT_GAP_MS = 1_000;
const SHIFT_SESSION_MS = 5_000;
/** Shorter interactions are not worth an entry. */
const INTERACTION_MS = 40;
const WIDE_PX = 768;

interface ShiftEntry extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

function isShift(entry: PerformanceEntry): entry is ShiftEntry {
  return 'value' in entry && typeof entry.value === 'number' && 'hadRecentInput' in entry;
}

function isFailedScript(entry: PerformanceEntry): boolean {
  const isRefused = 'responseStatus' in entry && Number(entry.responseStatus) >= 400;
  return isRefused && /\/assets\/[^?]*\.js$/.test(entry.name);
}

function watch(type: string, see: (entry: PerformanceEntry) => void): void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return;
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(see));
  const options: PerformanceObserverInit & { durationThreshold: number } = {
    type,
    buffered: true,
    durationThreshold: INTERACTION_MS,
  };
  observer.observe(options);
}

/**
 * Measures what this document's reader waits for and sends it once, when they leave: the largest paint, the longest
 * interaction, how far things moved, and scripts that were gone. `route`: the template of the page's path. Nothing tells who it was.
 */
export function measureWebVitals(route: string): void {
  const vitals: WebVitals = {
    route,
    width: window.innerWidth < WIDE_PX ? 'narrow' : 'wide',
    lcp: null,
    inp: null,
    cls: 0,
    failedChunks: 0,
  };
  let acted = false;
  let session = { value: 0, first: 0, last: Number.NEGATIVE_INFINITY };

  watch('largest-contentful-paint', ({ startTime }) => {
    if (!acted) vitals.lcp = startTime;
  });
  watch('event', (entry) => {
    if ('interactionId' in entry && entry.interactionId)
      vitals.inp = Math.max(vitals.inp ?? 0, entry.duration);
  });
  watch('layout-shift', (entry) => {
    if (!isShift(entry) || entry.hadRecentInput) return;
    const { startTime, value } = entry;
    const goesOn = startTime - session.last < SHIFT_GAP_MS && startTime - session.first < SHIFT_SESSION_MS;
    session = goesOn
      ? { ...session, value: session.value + value, last: startTime }
      : { value, first: startTime, last: startTime };
    vitals.cls = Math.max(vitals.cls, session.value);
  });
  watch('resource', (entry) => {
    if (isFailedScript(entry)) vitals.failedChunks++;
  });
  for (const type of ['keydown', 'pointerdown'])
    addEventListener(
      type,
      () => {
        acted = true;
      },
      { once: true, capture: true },
    );

  function send(): void {
    if (document.visibilityState !== 'hidden') return;
    removeEventListener('visibilitychange', send, true);
    navigator.sendBeacon('/api/vitals', new Blob([JSON.stringify(vitals)], { type: 'application/json' }));
  }
  addEventListener('visibilitychange', send, true);
}
