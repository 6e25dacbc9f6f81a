import { longDate } from '#shared/dates.ts';

/** Renders today's date, in the browser alone: cached pages are the same on every day. */
export function Today() {
  return <p className="header-date" ref={showToday} />;
}

function showToday(line: HTMLElement | null): void {
  if (line) line.textContent = longDate(new Date().toISOString());
}
