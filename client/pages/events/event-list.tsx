import { type FormEvent, useEffect, useRef, useState, useTransition } from 'react';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { Logo } from '#client/components/logo/logo.tsx';
import { useSite } from '#client/layout/site-context.tsx';
import type { EventsPage } from '#shared/models/event.ts';
import { EventCard } from './event-card.tsx';
import { appended, firstPage, hasHidden, offersMore, revealed } from './event-list-state.ts';
import { withShortDescriptions } from './short-description.ts';

/**
 * Renders one tab's events, nine at a time. Without JavaScript it shows a whole server page, and Show More links to the
 * next one.
 */
export function EventList({ data }: { data: EventsPage }) {
  const { api } = useSite();
  const [list, setList] = useState(() => firstPage(data));
  const [loading, startLoading] = useTransition();
  const grid = useRef<HTMLDivElement>(null);
  const shownBefore = useRef(list.shown);

  // Focus moves to the first new event: the button may be gone.
  useEffect(() => {
    const first = shownBefore.current;
    shownBefore.current = list.shown;
    if (list.shown <= first) return;
    const card = grid.current?.children[first];
    card?.querySelector('a')?.focus({ preventScroll: true });
  }, [list.shown]);

  async function loadNext() {
    try {
      const next = await api?.events({ tab: data.tab, page: list.page + 1 });
      if (next) setList((current) => appended(current, withShortDescriptions(next)));
    } catch (error) {
      console.error('The next events could not be loaded.', error);
    }
  }

  function showMore(event: FormEvent) {
    event.preventDefault();
    if (loading) return;
    if (hasHidden(list)) setList(revealed(list));
    else startLoading(loadNext);
  }

  if (list.events.length === 0) return <NoEvents />;
  return (
    <div className="events-area">
      <div ref={grid} className="events-grid">
        <KeyedList items={list.events}>
          {(event, index) => <EventCard event={event} hidden={index >= list.shown} priority={index === 0} />}
        </KeyedList>
      </div>
      {offersMore(list) && (
        <form
          className={list.hasMore ? 'events-more' : 'events-more is-last'}
          action="/events"
          onSubmit={showMore}
        >
          {data.tab !== 'all' && <input type="hidden" name="tab" value={data.tab} />}
          <input type="hidden" name="page" value={list.page + 1} />
          <button type="submit" className="button" aria-disabled={loading}>
            {loading ? 'Loading... ' : 'Show More'}
          </button>
        </form>
      )}
    </div>
  );
}

function NoEvents() {
  return (
    <div className="events-area">
      <div className="events-empty">
        <Logo />
        <p>No events have been posted yet.</p>
      </div>
    </div>
  );
}
