import { type MouseEvent, useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { EventsPage } from '#shared/models/event.ts';
import { site } from '#shared/site.ts';
import { eventsPath, eventTab, pageNumber } from '#shared/urls.ts';
import { Mark } from '../../components/mark/mark.tsx';
import { PageHead } from '../../layout/page-head.tsx';
import { siteApi } from '../../site-api-context.ts';
import { useSite } from '../../site-context.tsx';
import { EventCard } from './event-card.tsx';
import { appended, firstPage, hasHidden, offersMore, revealed } from './shown-events.ts';
import './events-page.css';

const TABS = [
  { tab: 'all', name: 'All Events' },
  { tab: 'upcoming', name: 'Upcoming Events' },
  { tab: 'past', name: 'Past Events' },
] as const;

export async function loader({ request, context }: LoaderFunctionArgs): Promise<EventsPage> {
  const { searchParams } = new URL(request.url);
  return siteApi(context).events({
    tab: eventTab(searchParams.get('tab')),
    page: pageNumber(searchParams.get('page')),
  });
}

/** The events (specification, section 2, Event list). */
export function Page() {
  const data = useLoaderData<typeof loader>();
  const { tab, pagination } = data;
  return (
    <div className="page events">
      <PageHead
        title="Events"
        description={`Conferences, briefings and workshops chosen by ${site.name}.`}
        path={eventsPath(tab, pagination.page)}
      />
      <h1>Events</h1>
      <nav className="events-tabs" aria-label="Which events">
        {TABS.map((entry) => (
          <Link
            key={entry.tab}
            to={eventsPath(entry.tab)}
            aria-current={entry.tab === tab ? 'page' : undefined}
            preventScrollReset
          >
            {entry.name}
          </Link>
        ))}
      </nav>
      {/* The key: another tab starts from its own first page. */}
      <EventList key={`${tab} ${pagination.page}`} data={data} />
    </div>
  );
}

function EventList({ data }: { data: EventsPage }) {
  const { api } = useSite();
  const [list, setList] = useState(() => firstPage(data));
  const [loading, setLoading] = useState(false);

  async function showMore(event: MouseEvent) {
    event.preventDefault();
    if (hasHidden(list)) {
      setList(revealed(list));
      return;
    }
    setLoading(true);
    try {
      const next = await api.events({ tab: data.tab, page: list.page + 1 });
      setList((current) => appended(current, next));
    } catch (error) {
      console.error('The next events could not be loaded.', error);
    } finally {
      setLoading(false);
    }
  }

  return (
    <div className="events-area">
      {list.events.length === 0 && (
        <div className="events-empty">
          <Mark />
          <p>No events have been posted yet.</p>
        </div>
      )}
      <div className="events-grid">
        {list.events.map((event, index) => (
          <EventCard key={event.id} event={event} hidden={index >= list.shown} />
        ))}
      </div>
      {offersMore(list) && (
        <button type="button" className="events-more button" onClick={showMore} disabled={loading}>
          {loading ? 'Loading... ' : 'Show More'}
        </button>
      )}
      {list.page < list.totalPages && (
        <Link className="events-next" to={eventsPath(data.tab, list.page + 1)}>
          Show More
        </Link>
      )}
    </div>
  );
}
