import { Link } from 'react-router';
import { clockTime } from '#client/dashboard/elements/format.ts';
import type { MetricsEvent } from '#shared/models/metrics.ts';

const MAX_SHOWN = 10;

/** Lists what the lines in the plots mark, newest first: what changed then? */
export function EventList({ events }: { events: readonly MetricsEvent[] }) {
  const shown = events.slice(-MAX_SHOWN).reverse();
  return (
    <div className="events">
      <h3>Purges, changes, circuit breaker, starts</h3>
      {shown.length === 0 ? (
        <p className="about">None in this range.</p>
      ) : (
        <ol>
          {shown.map(({ at, kind, text }) => (
            <li key={`${at} ${text}`}>
              <time dateTime={at}>{clockTime(new Date(at))}</time>{' '}
              {kind === 'change' ? <Link to="/audit-log">{text}</Link> : text}
            </li>
          ))}
        </ol>
      )}
      {events.length > MAX_SHOWN && <p className="about">And {events.length - MAX_SHOWN} earlier.</p>}
    </div>
  );
}
