import { useEffect, useState } from 'react';
import { longDate } from '#shared/dates.ts';

/** Renders today's date, in the browser alone: cached pages are the same on every day. */
export function Today() {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => setToday(new Date().toISOString()), []);
  return (
    <p className="header-date">
      {today !== null && <time dateTime={today.slice(0, 10)}>{longDate(today)}</time>}
    </p>
  );
}
