import { useTexts } from '#client/layout/site-context.tsx';
import { longDate } from '#shared/dates.ts';
import type { Translate } from '#shared/texts/translate.ts';

/** Renders today's date where the reader is, in the browser alone: cached pages are the same on every day. */
export function Today() {
  const t = useTexts();
  return <p className="header-date" ref={(line) => showToday(line, t)} />;
}

function showToday(line: HTMLElement | null, t: Translate): void {
  if (!line) return;
  const now = new Date();
  // The local day as one of UTC, which `longDate` reads.
  const day = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  line.textContent = longDate(new Date(day).toISOString(), t);
}
