import type { Advertisement } from './advertisement.ts';
import type { Video } from './article.ts';
import type { SidebarLists } from './home.ts';

/** The tabs of the event list, as its URL names them. */
export const EVENT_TABS = ['all', 'upcoming', 'past'] as const;
export type EventTab = (typeof EVENT_TABS)[number];

/** A card of the event list. */
export interface EventSummary {
  id: string;
  slug: string;
  title: string;
  banner: string | null;
  location: string | null;
  /** ISO 8601. */
  date: string | null;
  /** Plain text of the whole description; the card cuts it at 100 characters. */
  description: string;
}

/** One page of the event list. */
export interface EventsPage {
  tab: EventTab;
  events: EventSummary[];
  pagination: { page: number; totalPages: number };
}

/** An event in full. */
export interface EventDetail {
  id: string;
  slug: string;
  title: string;
  banner: string | null;
  location: string | null;
  date: string | null;
  /** ISO 8601, not before `date`; null where it is not known. */
  endDate: string | null;
  /** Safe HTML. */
  descriptionHtml: string;
  /** Plain text, for previews and structured data. */
  summary: string;
  /** The organiser's page, `http:` or `https:`, else null. */
  link: string | null;
  video: Video | null;
}

/** What the event page draws. */
export interface EventPage {
  event: EventDetail;
  sidebar: SidebarLists;
  /** Home-2 and Footer-3. */
  ads: Advertisement[];
}
