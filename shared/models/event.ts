import type { Advertisement } from './advertisement.ts';
import type { Video } from './article.ts';
import type { SidebarLists } from './home.ts';

/** Tabs of the event list: values of the `tab` parameter. */
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
  /** Plain text; cards cut it at 100 characters. */
  description: string;
}

/** One page of the event list. */
export interface EventsPage {
  tab: EventTab;
  events: EventSummary[];
  pagination: { page: number; totalPages: number };
}

/** An event with its description. */
export interface EventDetail {
  id: string;
  slug: string;
  title: string;
  banner: string | null;
  location: string | null;
  date: string | null;
  /** ISO 8601, not before `date`; null if unknown. */
  endDate: string | null;
  /** HTML that the server has sanitized. */
  descriptionHtml: string;
  /** Plain text, for link previews and structured data. */
  summary: string;
  /** The organiser's page, `http:` or `https:`, else null. */
  link: string | null;
  video: Video | null;
}

/** Data of the event page. */
export interface EventPage {
  event: EventDetail;
  sidebar: SidebarLists;
  /** Home-2 and Footer-3. */
  ads: Advertisement[];
}
