import { type Metric, onCLS, onINP, onLCP } from 'web-vitals';
import type { WebVitals } from '#shared/models/web-vitals.ts';
import * as apiPaths from '#shared/site-api.ts';

const WIDE_PX = 768;

function isFailedScript(entry: PerformanceEntry): boolean {
  const failed = 'responseStatus' in entry && Number(entry.responseStatus) >= 400;
  return failed && /\/assets\/[^?]*\.js$/.test(entry.name);
}

/**
 * Measures the document's Web Vitals (LCP, INP, CLS) and failed chunk loads, and sends them once, when the document is
 * first hidden. `path`: path template of the page, `*` for the not-found page. Sends nothing that identifies the reader.
 */
export function measureWebVitals(path: string): void {
  const sample: WebVitals = {
    route: path === '*' ? 'not-found' : path,
    width: window.innerWidth < WIDE_PX ? 'narrow' : 'wide',
    lcp: null,
    inp: null,
    cls: PerformanceObserver.supportedEntryTypes.includes('layout-shift') ? 0 : null,
    failedChunks: 0,
  };
  const keep = ({ name, value }: Metric) => {
    if (name === 'LCP') sample.lcp = value;
    if (name === 'INP') sample.inp = value;
    if (name === 'CLS') sample.cls = value;
  };
  for (const measure of [onLCP, onINP, onCLS]) measure(keep, { reportAllChanges: true });
  const countFailed = (entries: PerformanceEntryList) => {
    sample.failedChunks += entries.filter(isFailedScript).length;
  };
  const resources = new PerformanceObserver((list) => countFailed(list.getEntries()));
  resources.observe({ type: 'resource', buffered: true });

  // Registered after the library's own listeners, so that it sends their last values.
  function send(): void {
    if (document.visibilityState !== 'hidden') return;
    removeEventListener('visibilitychange', send, true);
    // A failed chunk loads the document again at once, before a busy browser has told of it.
    countFailed(resources.takeRecords());
    navigator.sendBeacon(
      apiPaths.reportWebVitals,
      new Blob([JSON.stringify(sample)], { type: 'application/json' }),
    );
  }
  addEventListener('visibilitychange', send, true);
}
