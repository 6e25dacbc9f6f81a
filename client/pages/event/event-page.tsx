import { redirect, useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import { RichText } from '#client/components/rich-text/rich-text.tsx';
import { Share, ShareRow } from '#client/components/share/share.tsx';
import { Sidebar } from '#client/components/sidebar/sidebar.tsx';
import { Video } from '#client/components/video/video.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import { formatDate } from '#shared/dates.ts';
import type { EventDetail, EventPage } from '#shared/models/event.ts';
import * as en from '#shared/texts/en.ts';
import { eventPath, isOtherSpelling } from '#shared/urls.ts';
import './event-page.css';

export const loader: PageLoader<EventPage> = async ({ api, params: { slug = '' } }) => {
  const page = await api.event({ slug });
  // The upstream may look it up without regard to case.
  if (isOtherSpelling(slug, page.event.slug)) throw redirect(eventPath(page.event.slug), 301);
  return { ...page, event: { ...page.event, summary: preview(page.event.summary) } };
};

/** Longest description that link previews and search results show. */
const MAX_PREVIEW_LENGTH = 160;

/** Returns the start of a text, cut at the end of a word where its second half has one. */
function preview(text: string): string {
  if (text.length <= MAX_PREVIEW_LENGTH) return text;
  return `${text.slice(0, MAX_PREVIEW_LENGTH).replace(/(?<=^.{80,})\s\S*$|\p{Cs}$/u, '')}…`;
}

/** Renders the day of an event, or its first and last one. */
function EventDates({ event: { date, endDate } }: { event: EventDetail }) {
  const t = useTexts();
  if (date === null) return null;
  const [first, last] = [formatDate(en.longDate, date, t), formatDate(en.longDate, endDate ?? date, t)];
  return (
    <span>
      <time dateTime={date}>{first}</time>
      {endDate !== null && last !== first && (
        <>
          {' – '}
          <time dateTime={endDate}>{last}</time>
        </>
      )}
    </span>
  );
}

/** Renders an event (specification, section 2, Event detail). */
export function Page() {
  const t = useTexts();
  const { event, sidebar, ads } = useLoaderData<typeof loader>();
  const path = eventPath(event.slug);
  return (
    <div key={path} className="page page-columns">
      <PageHead
        title={event.title}
        description={event.summary || event.title}
        path={path}
        image={event.banner}
      />
      <article className="event-main">
        <header className="event-head">
          <p className="kicker">{t(en.event)}</p>
          <h1 dir="auto">{event.title}</h1>
          <div className="meta-bar event-meta">
            <p>
              <EventDates event={event} />
              {event.location !== null && <span dir="auto">{event.location}</span>}
              {event.date !== null && <a href={`${path}.ics`}>{t(en.addToCalendar)}</a>}
            </p>
            <Share path={path} title={event.title} event />
          </div>
        </header>
        {event.video ? (
          <Video video={event.video} title={event.title} poster={event.banner} />
        ) : (
          event.banner !== null && (
            <ResponsiveImage
              image={event.banner}
              alt={event.slug}
              width={1000}
              widths={[150, 250, 300, 320, 500, 700, 1000, 1200]}
              sizes="(min-width: 1288px) 848px, (min-width: 1024px) calc(100vw - 440px), calc(100vw - 2rem)"
              priority
            />
          )
        )}
        <RichText html={event.descriptionHtml} />
        <ShareRow path={path} title={event.title} event />
        {event.link !== null && (
          <p className="event-link">
            <a href={event.link} rel="noopener">
              {t(en.toOrganiser)}
            </a>
          </p>
        )}
      </article>
      <aside className="event-side">
        <Sidebar lists={sidebar} />
        <AdSlot slot="Home-2" ads={ads} />
      </aside>
      <div className="event-foot">
        <AdSlot slot="Footer-3" ads={ads} />
      </div>
    </div>
  );
}
