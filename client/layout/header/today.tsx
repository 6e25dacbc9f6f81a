import { longDate } from '#shared/dates.ts';

/** Renders today's date where the reader is, in the browser alone: cached pages are the same on every day. */
export function Today() {
  return <p className="header-date" ref={showToday} />;
}

function showToday(line: HTMLElement | null): void {
  if (!line) return;
  const now = new Date();
  // The local day as one of UTC, which `longDate` reads.
  const day = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  line.textContent = longDate(new Date(day).toISOString());
}
