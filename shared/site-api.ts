import type { ArticlePage } from './models/article.ts';
import type { EventPage, EventsPage, EventTab } from './models/event.ts';
import type { Home } from './models/home.ts';
import type { Navigation } from './models/navigation.ts';
import type { ContactSubmission, SubmissionOutcome } from './models/submission.ts';
import type { TagPage } from './models/tag.ts';
import type { SearchPage, SitemapPage, TopicPage } from './models/topic.ts';

/**
 * Everything a page can ask for. Two implementations: `server/content/content-service.ts` in the
 * process and `client/api/http-site-api.ts` in the browser; loaders never know which one they hold.
 *
 * Every method rejects with a `SiteError` and with nothing else.
 */
export interface SiteApi {
  navigation(): Promise<Navigation>;
  home(): Promise<Home>;
  tag(subcategory: string): Promise<TagPage>;
  /** `page` counts from 1. A page beyond the last has no posts. */
  topic(topic: { category: string; subcategory: string | null; page: number }): Promise<TopicPage>;
  article(address: { category: string; slug: string }): Promise<ArticlePage>;
  events(list: { tab: EventTab; page: number }): Promise<EventsPage>;
  event(slug: string): Promise<EventPage>;
  search(query: { category: string; term: string; page: number }): Promise<SearchPage>;
  sitemap(): Promise<SitemapPage>;
}

/** What a reader can send. Only the browser's implementation exists; the server answers these calls. */
export interface SiteActions {
  /** Counts one view of an article that was reached without a document request. Never rejects. */
  countView(postId: string): Promise<void>;
  subscribe(email: string): Promise<SubmissionOutcome>;
  sendContactMessage(submission: ContactSubmission): Promise<SubmissionOutcome>;
  sendOptOut(submission: ContactSubmission): Promise<SubmissionOutcome>;
}
