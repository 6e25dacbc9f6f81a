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
import { encodeSegment } from './urls.ts';

/**
 * Data of the pages. Loaders call it without knowing the implementation: `server/content/content-service.ts` in the process
 * or `client/api/http-site-api.ts` in the browser. A method takes one object: the parameters of its path, then of its query.
 * Methods reject with a `SiteError` only.
 */
export interface SiteApi {
  navigation(): Promise<Navigation>;
  home(): Promise<Home>;
  tag(tag: { subcategory: string }): Promise<TagPage>;
  /** `page` counts from 1. A page beyond the last has no posts. */
  topic(topic: { category: string; subcategory: string | null; page: number }): Promise<TopicPage>;
  article(address: { category: string; slug: string }): Promise<ArticlePage>;
  /** Posts of an author; `page` counts from 1. */
  author(author: { id: string; page: number }): Promise<AuthorPage>;
  events(list: { tab: EventTab; page: number }): Promise<EventsPage>;
  event(event: { slug: string }): Promise<EventPage>;
  search(query: { category: string; term: string; page: number }): Promise<SearchPage>;
  sitemap(): Promise<SitemapPage>;
  /** A page of the publisher's own, by its name. */
  ownPage(page: { name: string }): Promise<OwnPage>;
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

/**
 * Paths of the site's JSON API. `:name` is a parameter. The server's routes and the browser's calls are made of them, here
 * without zod.
 */

/** What all of them begin with. */
export const API_PREFIX = '/api/';

export const article = '/api/articles/:category/:slug';
/** A topic without a sub-category. */
export const categoryTopic = '/api/topics/:category';

/** Those of `SiteApi`, by method. */
export const reads = {
  navigation: '/api/navigation',
  home: '/api/home',
  tag: '/api/tags/:subcategory',
  topic: '/api/topics/:category/:subcategory',
  article,
  author: '/api/authors/:id',
  events: '/api/events',
  event: '/api/events/:slug',
  search: '/api/search/:category/:term',
  sitemap: '/api/sitemap',
  ownPage: '/api/pages/:name',
} as const satisfies Record<keyof SiteApi, string>;

export const subscribe = '/api/subscriptions';
export const sendContactMessage = '/api/contact-messages';
export const sendOptOut = '/api/opt-outs';

export const countView = '/api/views';
export const reportWebVitals = '/api/vitals';
/** The share of documents that report their Web Vitals. */
export const WEB_VITALS_SAMPLE = 0.1;

/** The OpenAPI document of all of them. */
export const openApi = '/api/openapi.json';

/** Parameters of the query in canonical order, each with the value that is left out. */
const QUERY = { tab: 'all', page: 1 };

/** Parameters of a call's path and query, by name. */
export type CallInput = Readonly<Record<string, string | number | null>>;

/**
 * Returns the canonical target of a call: its path, each parameter escaped as one segment, and left out where it is null;
 * then its query.
 */
export function callTarget(path: string, input: CallInput): string {
  let target = path.replace(/\/:(\w+)/g, (_, name: string) => {
    const value = input[name];
    return value === null ? '' : `/${encodeSegment(String(value))}`;
  });
  for (const [name, usual] of Object.entries(QUERY)) {
    const value = input[name] ?? usual;
    if (value !== usual) target += `${target.includes('?') ? '&' : '?'}${name}=${value}`;
  }
  return target;
}
