import type { WebVitals } from '#shared/models/web-vitals.ts';

/** A session window of layout shifts ends after 1 s without a shift, and after 5 s at the latest (web.dev, CLS). */
const SHIFT_GAP_MS = 1_000;
const SHIFT_SESSION_MS = 5_000;
/** Shortest interaction that the browser reports. */
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
  const failed = 'responseStatus' in entry && Number(entry.responseStatus) >= 400;
  return failed && /\/assets\/[^?]*\.js$/.test(entry.name);
}

function observe(type: string, onEntry: (entry: PerformanceEntry) => void): void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return;
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(onEntry));
  const options: PerformanceObserverInit & { durationThreshold: number } = {
    type,
    buffered: true,
    durationThreshold: INTERACTION_MS,
  };
  observer.observe(options);
}

/**
 * Measures the document's Web Vitals (LCP, INP, CLS) and failed chunk loads, and sends them once, when the document is
 * first hidden. `route`: path template of the page. Sends nothing that identifies the reader.
 */
export function measureWebVitals(route: string): void {
  const sample: WebVitals = {
    route,
    width: window.innerWidth < WIDE_PX ? 'narrow' : 'wide',
    lcp: null,
    inp: null,
    cls: 0,
    failedChunks: 0,
  };
  let interacted = false;
  let session = { value: 0, first: 0, last: Number.NEGATIVE_INFINITY };

  observe('largest-contentful-paint', ({ startTime }) => {
    if (!interacted) sample.lcp = startTime;
  });
  observe('event', (entry) => {
    if ('interactionId' in entry && entry.interactionId)
      sample.inp = Math.max(sample.inp ?? 0, entry.duration);
  });
  observe('layout-shift', (entry) => {
    if (!isShift(entry) || entry.hadRecentInput) return;
    const { startTime, value } = entry;
    const continues = startTime - session.last < SHIFT_GAP_MS && startTime - session.first < SHIFT_SESSION_MS;
    session = continues
      ? { ...session, value: session.value + value, last: startTime }
      : { value, first: startTime, last: startTime };
    sample.cls = Math.max(sample.cls, session.value);
  });
  observe('resource', (entry) => {
    if (isFailedScript(entry)) sample.failedChunks++;
  });
  for (const type of ['keydown', 'pointerdown'])
    addEventListener(
      type,
      () => {
        interacted = true;
      },
      { once: true, capture: true },
    );

  function send(): void {
    if (document.visibilityState !== 'hidden') return;
    removeEventListener('visibilitychange', send, true);
    navigator.sendBeacon('/api/vitals', new Blob([JSON.stringify(sample)], { type: 'application/json' }));
  }
  addEventListener('visibilitychange', send, true);
}
