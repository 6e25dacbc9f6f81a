import { useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { EventsPage } from '#shared/models/event.ts';
import * as en from '#shared/texts/en.ts';
import { eventsPath, eventTab } from '#shared/urls.ts';
import { EventList } from './event-list.tsx';
import './events-page.css';

const TABS = [
  { tab: 'all', name: en.allEvents, description: en.allEventsDescription },
  { tab: 'upcoming', name: en.upcomingEvents, description: en.upcomingEventsDescription },
  { tab: 'past', name: en.pastEvents, description: en.pastEventsDescription },
] as const;

export const loader: PageLoader<EventsPage> = ({ api, url, page }) =>
  api.events({ tab: eventTab(url.searchParams.get('tab')), page });

/** Renders the event list (specification, section 2, Event list). */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const data = useLoaderData<typeof loader>();
  const { tab, events, pagination } = data;
  const { name, description } = TABS.find((entry) => entry.tab === tab) ?? TABS[0];
  const list = `${tab} ${pagination.page}`;
  // Anybody can link to a page beyond the last: search engines must not index it.
  const isBeyondLast = events.length === 0 && pagination.page > 1;
  return (
    <div className="page events">
      <PageHead
        title={t(name)}
        description={t(description, { name: site.name })}
        page={pagination.page}
        {...(isBeyondLast ? { noIndex: true } : { path: eventsPath(tab, pagination.page) })}
      />
      <h1>{t(en.events)}</h1>
      <nav className="tab-bar events-tabs" aria-label={t(en.whichEvents)}>
        {TABS.map((entry) => (
          <a
            key={entry.tab}
            href={eventsPath(entry.tab)}
            aria-current={entry.tab === tab ? 'page' : undefined}
            data-keep-scroll
          >
            {t(entry.name)}
          </a>
        ))}
      </nav>
      {/* The key resets the list with the tab and the page. */}
      <EventList key={list} name={list} data={data} />
    </div>
  );
}
