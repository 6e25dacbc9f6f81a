import { z } from 'zod';
import { Advertisement } from './advertisement.ts';
import { Video } from './article.ts';
import { EVENT_TABS } from './event-tabs.ts';
import { SidebarLists } from './home.ts';

/** A card of the event list. */
const EventSummary = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  banner: z.string().nullable(),
  location: z.string().nullable(),
  /** ISO 8601. */
  date: z.iso.datetime({ offset: true }).nullable(),
  /** The first 100 characters of its text, and dots; empty where it has none. */
  description: z.string(),
});

/** One page of the event list. */
export const EventsPage = z.object({
  tab: z.enum(EVENT_TABS),
  events: z.array(EventSummary),
  pagination: z.object({ page: z.number(), totalPages: z.number() }),
});

/** An event with its description. */
const EventDetail = EventSummary.omit({ description: true }).extend({
  /** ISO 8601, not before `date`; null if unknown. */
  endDate: z.iso.datetime({ offset: true }).nullable(),
  /** HTML that the server has sanitized. */
  descriptionHtml: z.string(),
  /** Plain text, for link previews and structured data. */
  summary: z.string(),
  /** The organiser's page, `http:` or `https:`, else null. */
  link: z.string().nullable(),
  video: Video.nullable(),
});

/** Data of the event page. */
export const EventPage = z.object({
  event: EventDetail,
  sidebar: SidebarLists,
  /** Home-2 and Footer-3. */
  ads: z.array(Advertisement),
});

export type EventSummary = z.infer<typeof EventSummary>;
export type EventsPage = z.infer<typeof EventsPage>;
export type EventDetail = z.infer<typeof EventDetail>;
export type EventPage = z.infer<typeof EventPage>;
