import type { ComponentType } from 'react';
import type { ActionFunction, RouteObject } from 'react-router';
import { type PageLoader, routerLoader } from '#client/api/page-loader.ts';
import { ErrorBoundary, type FailureText } from '#client/layout/error-boundary.tsx';
import { loadChunk } from '#client/routing/load-chunk.ts';
import type { OwnPageLink } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { canonicalPage, canonicalTab } from '#shared/urls.ts';
import { Root, rootLoader } from './root.tsx';

/** Exports of a page's module. */
interface PageModule {
  loader?: PageLoader<unknown>;
  action?: ActionFunction;
  Page: ComponentType;
}

/** One entry of the page table, read by server, browser and sitemap. */
export interface PageRecord {
  name: string;
  path: string;
  /**
   * Query parameters that decide the page, each with a function that returns its canonical form (null: left out, the
   * default). All others are dropped before the cache key is made.
   */
  query?: Readonly<Record<string, (value: string | null) => string | null>>;
  module: () => Promise<PageModule>;
  /** Its head says `noindex`, and the sitemap leaves it out. */
  noIndex?: true;
  /** Texts of the error page when the primary resource failed to load. */
  failure?: FailureText;
}

/** The canonical form of `sent`: a form posted without JavaScript redirects to its page with `?sent=1`. */
function sent(value: string | null): string | null {
  return value === '1' ? '1' : null;
}

/** The empty state of a topic (specification, section 2). */
const EMPTY_TOPIC: FailureText = { heading: en.noPosts, text: en.sorryNoPosts };

const topicModule = () => import('#client/pages/topic/topic-page.tsx');
const ownModule = () => import('#client/pages/own/own-page.tsx');

/** Name of the record of all pages that the publisher's folder has. */
export const OWN_PAGE = 'own';

/** The page table. Order does not matter: the router ranks paths by specificity. */
export const pages: readonly PageRecord[] = [
  { name: 'home', path: '/', module: () => import('#client/pages/home/home-page.tsx') },
  {
    name: 'article',
    path: '/:category/:slug',
    module: () => import('#client/pages/article/article-page.tsx'),
    failure: { text: en.errorMessage },
  },
  {
    name: 'tag',
    path: '/tag/:subcategory',
    module: () => import('#client/pages/tag/tag-page.tsx'),
    failure: { text: en.noPosts },
  },
  {
    name: 'topic',
    path: '/topic/:category',
    query: { page: canonicalPage },
    module: topicModule,
    failure: EMPTY_TOPIC,
  },
  {
    name: 'subtopic',
    path: '/topic/:category/:subcategory',
    query: { page: canonicalPage },
    module: topicModule,
    failure: EMPTY_TOPIC,
  },
  {
    name: 'author',
    path: '/author/:id',
    query: { page: canonicalPage },
    module: () => import('#client/pages/author/author-page.tsx'),
  },
  {
    name: 'search',
    path: '/search/:category/:term',
    query: { page: canonicalPage },
    module: () => import('#client/pages/search/search-page.tsx'),
    failure: { heading: en.noResult, text: en.searchFailed },
  },
  {
    name: 'events',
    path: '/events',
    query: { tab: canonicalTab, page: canonicalPage },
    module: () => import('#client/pages/events/events-page.tsx'),
    failure: { heading: en.events, text: en.noEvents },
  },
  {
    name: 'event',
    path: '/events/:slug',
    module: () => import('#client/pages/event/event-page.tsx'),
    failure: { text: en.eventUnavailable },
  },
  { name: OWN_PAGE, path: '/:name', module: ownModule },
  { name: 'about', path: '/about', module: () => import('#client/pages/about/about-page.tsx') },
  { name: 'privacy', path: '/privacy-policy', module: ownModule },
  {
    name: 'opt-out',
    path: '/opt-out-form',
    query: { sent },
    module: () => import('#client/pages/opt-out/opt-out-page.tsx'),
  },
  {
    name: 'contact',
    path: '/contact-us',
    query: { sent },
    module: () => import('#client/pages/contact/contact-page.tsx'),
  },
  {
    name: 'subscribe',
    path: '/subscribe',
    query: { sent },
    module: () => import('#client/pages/subscribe/subscribe-page.tsx'),
    noIndex: true,
  },
  { name: 'sitemap', path: '/sitemap', module: () => import('#client/pages/sitemap/sitemap-page.tsx') },
  {
    name: 'no-posts',
    path: '/no-posts',
    module: () => import('#client/pages/no-posts/no-posts-page.tsx'),
    noIndex: true,
  },
  { name: 'not-found', path: '*', module: () => import('#client/pages/not-found/not-found-page.tsx') },
];

/** Loads a page's module as the router's route properties. Rejects with a `ChunkError`. */
async function loadPage(page: PageRecord) {
  const { loader, action, Page } = await loadChunk(page.module);
  return { Component: Page, ...(loader && { loader: routerLoader(loader) }), ...(action && { action }) };
}

/** Returns the name of a route's page: each page of the publisher's own has a route with its name. */
export function pageNameOf(routeId: string): string {
  return routeId.split(':', 1)[0] ?? '';
}

/**
 * Loads a lazy route's module into the route before the router sees it, as its documentation says: it would load the data
 * of a lazy route again. Rejects with a `ChunkError`.
 */
export async function loadRoute(route: RouteObject): Promise<void> {
  const page: PageRecord | undefined = route.handle;
  if (!page) return;
  Object.assign(route, await loadPage(page));
  delete route.lazy;
}

function toRoute(page: PageRecord): RouteObject {
  return {
    id: page.name,
    path: page.path,
    caseSensitive: true,
    handle: page,
    ErrorBoundary,
    // Without one the router renders nothing for a route whose `lazy` rejects.
    HydrateFallback: ErrorBoundary,
    lazy: () => loadPage(page),
  };
}

/**
 * Returns the router's routes, for server and browser. Navigations keep the root and its data, and replace the page. A page
 * of the publisher's own replaces the built-in one with its path.
 */
export function createRoutes(ownPages: readonly OwnPageLink[]): RouteObject[] {
  const replaced = new Set(ownPages.map(({ name }) => `/${name}`));
  const served = pages.flatMap((page) => {
    if (page.name !== OWN_PAGE) return replaced.has(page.path) ? [] : [toRoute(page)];
    return ownPages.map(({ name }) => ({ ...toRoute(page), id: `${OWN_PAGE}:${name}`, path: `/${name}` }));
  });
  return [
    {
      id: 'root',
      Component: Root,
      loader: rootLoader,
      shouldRevalidate: () => false,
      children: served,
    },
  ];
}
