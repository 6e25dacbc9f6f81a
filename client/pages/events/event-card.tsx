import { Link } from 'react-router';
import { shortDate } from '#shared/dates.ts';
import type { EventSummary } from '#shared/models/event.ts';
import { eventPath } from '#shared/urls.ts';
import { Picture } from '../../components/picture/picture.tsx';

/** Specification, section 9: image widths of events. */
const WIDTHS = [150, 250, 300, 320, 500, 700, 1000, 1200];
const SIZES = '(min-width: 768px) 500px, (max-width: 320px) 250px, 300px';

/** The description is cut here, and dots always follow (decisions). */
const DESCRIPTION_AT_MOST = 100;

/** A card of the event list. */
export function EventCard({ event, hidden }: { event: EventSummary; hidden: boolean }) {
  return (
    <article className={hidden ? 'event-card is-hidden' : 'event-card'}>
      <Picture image={event.banner} alt={event.slug} width={300} widths={WIDTHS} sizes={SIZES} />
      <h2>
        <Link to={eventPath(event.slug)}>{event.title}</Link>
      </h2>
      <p className="event-card-meta">
        {event.location !== null && <span>{event.location}</span>}
        {event.date !== null && <time dateTime={event.date}>{shortDate(event.date)}</time>}
      </p>
      <p className="event-card-description">
        {Array.from(event.description).slice(0, DESCRIPTION_AT_MOST).join('')}...
      </p>
    </article>
  );
}
