import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import { formatDate } from '#shared/dates.ts';
import type { EventSummary } from '#shared/models/event.ts';
import * as en from '#shared/texts/en.ts';
import { eventPath } from '#shared/urls.ts';

/** Specification, section 9: image widths of events. */
const WIDTHS = [150, 250, 300, 320, 500, 700, 1000, 1200];
/** One, two or three columns of `events-page.css`. */
const SIZES =
  '(min-width: 1288px) 398px, (min-width: 768px) calc(33.4vw - 32px), (min-width: 640px) calc(50vw - 24px), calc(100vw - 32px)';

interface EventCardProps {
  event: EventSummary;
  /** Loaded but not revealed yet. */
  hidden: boolean;
  /** The month that begins with this card. */
  month: string | null;
  /** A month stands above it, or above a card before it. */
  isBelowMonth: boolean;
  /** Load the image eagerly, at high priority. */
  priority: boolean;
}

/** Renders a card of the event list. Its link covers the whole card. */
export function EventCard({ event, hidden, month, isBelowMonth, priority }: EventCardProps) {
  const t = useTexts();
  const { slug, title, banner, location, date, description } = event;
  return (
    <article className={hidden ? 'event-card is-hidden' : 'event-card'}>
      {/* The line is there above each card, so that the pictures of a row stand on one line. */}
      <div className="event-month">{month !== null && <h2>{month}</h2>}</div>
      {date !== null && (
        <p className="event-day" aria-hidden="true">
          <b>{formatDate('{day}', date, t)}</b> {formatDate('{shortMonth}', date, t)}
        </p>
      )}
      {banner !== null && (
        <ResponsiveImage
          image={banner}
          alt={slug}
          width={300}
          widths={WIDTHS}
          sizes={SIZES}
          priority={priority}
        />
      )}
      <h3 dir="auto" aria-level={isBelowMonth ? undefined : 2}>
        <a href={eventPath(slug)}>{title}</a>
      </h3>
      <p className="event-card-meta">
        {location !== null && <span dir="auto">{location}</span>}
        {date !== null && <time dateTime={date}>{formatDate(en.shortDate, date, t)}</time>}
      </p>
      {description !== '' && (
        <p className="event-card-description" dir="auto">
          {description}
        </p>
      )}
    </article>
  );
}
