import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { siteApi } from '#client/api/site-api-context.ts';
import { listPageHead } from '#client/components/pagination/list-page-head.ts';
import { useSettings } from '#client/layout/site-context.tsx';
import { redirectOnError } from '#client/routing/redirect-on-error.ts';
import { PageHead } from '#client/seo/page-head.tsx';
import type { EventsPage } from '#shared/models/event.ts';
import { eventsPath, eventTab, pageNumber } from '#shared/urls.ts';
import { EventList } from './event-list.tsx';
import { withShortDescriptions } from './short-description.ts';
import './events-page.css';

const TABS = [
  { tab: 'all', name: 'All Events', which: 'to come and past' },
  { tab: 'upcoming', name: 'Upcoming Events', which: 'that are still to come' },
  { tab: 'past', name: 'Past Events', which: 'that have taken place' },
] as const;

export async function loader(args: LoaderFunctionArgs): Promise<EventsPage> {
  const { searchParams } = new URL(args.request.url);
  const list = siteApi(args).events({
    tab: eventTab(searchParams.get('tab')),
    page: pageNumber(searchParams.get('page')),
  });
  return withShortDescriptions(await redirectOnError(list));
}

/** Renders the event list (specification, section 2, Event list). */
export function Page() {
  const site = useSettings();
  const data = useLoaderData<typeof loader>();
  const { tab, events, pagination } = data;
  const { name, which } = TABS.find((entry) => entry.tab === tab) ?? TABS[0];
  // Anybody can link to a page beyond the last: search engines must not index it.
  const isBeyondLast = events.length === 0 && pagination.page > 1;
  return (
    <div className="page events">
      <PageHead
        {...listPageHead(
          pagination.page,
          name,
          `Conferences, briefings and workshops ${which}, chosen by ${site.name}.`,
        )}
        {...(isBeyondLast ? { noIndex: true } : { path: eventsPath(tab, pagination.page) })}
      />
      <h1>Events</h1>
      <nav className="tab-bar events-tabs" aria-label="Which events">
        {TABS.map((entry) => (
          <a
            key={entry.tab}
            href={eventsPath(entry.tab)}
            aria-current={entry.tab === tab ? 'page' : undefined}
            data-keep-scroll
          >
            {entry.name}
          </a>
        ))}
      </nav>
      {/* The key resets the list with the tab and the page. */}
      <EventList key={`${tab} ${pagination.page}`} data={data} />
    </div>
  );
}
