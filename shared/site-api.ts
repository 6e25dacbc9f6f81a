import type { ArticlePage } from './models/article.ts';
import type { AuthorPage } from './models/author.ts';
import type { EventPage, EventsPage } from './models/event.ts';
import type { EventTab } from './models/event-tabs.ts';
import type { Home } from './models/home.ts';
import type { Navigation } from './models/navigation.ts';
import type { OwnPage } from './models/own-page.ts';
import type { SentSubmission, SubmissionOutcome } from './models/submission.ts';
import type { TagPage } from './models/tag.ts';
import type { SearchPage, SitemapPage, TopicPage } from './models/topic.ts';

/**
 * Data of the pages. Loaders call it without knowing the implementation: `server/content/content-service.ts` in the process
 * or `client/api/http-site-api.ts` in the browser. Methods reject with a `SiteError` only.
 */
export interface SiteApi {
  navigation(): Promise<Navigation>;
  home(): Promise<Home>;
  tag(subcategory: string): Promise<TagPage>;
  /** `page` counts from 1. A page beyond the last has no posts. */
  topic(topic: { category: string; subcategory: string | null; page: number }): Promise<TopicPage>;
  article(address: { category: string; slug: string }): Promise<ArticlePage>;
  /** Posts of an author; `page` counts from 1. */
  author(author: { id: string; page: number }): Promise<AuthorPage>;
  events(list: { tab: EventTab; page: number }): Promise<EventsPage>;
  event(slug: string): Promise<EventPage>;
  search(query: { category: string; term: string; page: number }): Promise<SearchPage>;
  sitemap(): Promise<SitemapPage>;
  /** A page of the publisher's own, by its name. */
  ownPage(name: string): Promise<OwnPage>;
}

/**
 * Submissions of the forms. The actions of pages call it without knowing the implementation: `server/forms/form-routes.ts`
 * over the outbox, or `client/api/http-site-api.ts` in the browser.
 */
export interface SubmissionApi {
  subscribe(email: string): Promise<SubmissionOutcome>;
  sendContactMessage(submission: SentSubmission): Promise<SubmissionOutcome>;
  sendOptOut(submission: SentSubmission): Promise<SubmissionOutcome>;
}

/** Counts views. Implemented in the browser alone. */
export interface ViewApi {
  /** Counts a view of an article that a client-side navigation opened. Never rejects. */
  countView(postId: string): Promise<void>;
}
