import { type FormEvent, useEffect, useRef, useState } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { Logo } from '#client/components/logo/logo.tsx';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import { useSite, useTexts } from '#client/layout/site-context.tsx';
import { formatDate } from '#shared/dates.ts';
import type { EventSummary, EventsPage } from '#shared/models/event.ts';
import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
import { EventCard } from './event-card.tsx';
import {
  appended,
  firstPage,
  hasHidden,
  offersMore,
  revealed,
  savedEventList,
  saveEventList,
} from './event-list-state.ts';

/**
 * Renders one tab's events, nine at a time; after Back as many as were shown. Without JavaScript it shows a whole server
 * page, and Show More links to the next one. `name`: of the list in the history.
 */
export function EventList({ data, name }: { data: EventsPage; name: string }) {
  const t = useTexts();
  const { api } = useSite();
  const isHydrated = useHydrated();
  const navigationType = useNavigationType();
  const [list, setList] = useState(() => {
    const isBack = isHydrated && navigationType === NavigationType.Pop;
    return (isBack && savedEventList(name)) || firstPage(data);
  });
  // No transition: React would show no other page before an asynchronous one has ended.
  const [loading, setLoading] = useState(false);
  /** Says that a page had nothing new, or could not be loaded. */
  const [outcome, setOutcome] = useState('');
  const grid = useRef<HTMLDivElement>(null);
  const outcomeText = useRef<HTMLParagraphElement>(null);
  const listBefore = useRef(list);

  // Noted here, not when a page arrives: the reader may be at another entry of the history then. Focus moves to the first new
  // event, or to the outcome where there is none: the button may be gone.
  useEffect(() => {
    const before = listBefore.current;
    listBefore.current = list;
    if (list === before) return;
    saveEventList(list, name);
    const card = grid.current?.children[before.shown];
    if (list.shown > before.shown) card?.querySelector('a')?.focus({ preventScroll: true });
    else if (!offersMore(list)) outcomeText.current?.focus();
  }, [list, name]);

  async function loadNext() {
    setLoading(true);
    setOutcome('');
    try {
      const next = await api?.events({ tab: data.tab, page: list.page + 1 });
      if (!next) return;
      const longer = appended(list, next);
      setList(longer);
      const none = longer.hasMore
        ? t(en.noFurtherEventsOnPage, { page: longer.page })
        : t(en.noFurtherEvents);
      setOutcome(longer.events.length > list.events.length ? '' : none);
    } catch (error) {
      console.error('The next events could not be loaded.', error);
      setOutcome(t(en.nextEventsFailed));
    } finally {
      setLoading(false);
    }
  }

  function showMore(event: FormEvent) {
    event.preventDefault();
    if (loading) return;
    if (hasHidden(list)) setList(revealed(list));
    else void loadNext();
  }

  if (list.events.length === 0)
    return (
      <div className="events-area">
        <div className="events-empty">
          <Logo />
          <p>{t(en.noEvents)}</p>
        </div>
      </div>
    );
  const firstWithDate = list.events.findIndex(({ date }) => date !== null);
  return (
    <div className="events-area">
      <div ref={grid} className="events-grid">
        <KeyedList items={list.events}>
          {(event, index) => (
            <EventCard
              event={event}
              hidden={index >= list.shown}
              month={newMonth(event, list.events[index - 1], t)}
              isBelowMonth={firstWithDate >= 0 && index >= firstWithDate}
              priority={index === 0}
            />
          )}
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
            {t(loading ? en.loadingMore : en.showMore)}
          </button>
        </form>
      )}
      <p ref={outcomeText} className={outcome && 'events-more'} role="status" tabIndex={-1}>
        {outcome}
      </p>
    </div>
  );
}

/** Returns the month of an event that is in another one than the event before it; else null. */
function newMonth({ date }: EventSummary, before: EventSummary | undefined, t: Translate): string | null {
  const month = date === null ? null : formatDate(en.monthAndYear, date, t);
  return month === null || (before?.date && formatDate(en.monthAndYear, before.date, t) === month)
    ? null
    : month;
}
