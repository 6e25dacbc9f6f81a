import type { ComponentType } from 'react';
import type { LoaderFunction, RouteObject } from 'react-router';
import { canonicalPage, canonicalTab } from '#shared/urls.ts';
import { ErrorBoundary, type FailureText } from './layout/error-boundary.tsx';
import { rootLoader } from './layout/root-loader.ts';
import { Root } from './root.tsx';
import { loadChunk } from './routing/load-chunk.ts';

/** What a page's module exports. */
export interface PageModule {
  loader?: LoaderFunction;
  Page: ComponentType;
}

/** One page of the site: all that server, browser and sitemap know of it stands here. */
export interface PageRecord {
  name: string;
  path: string;
  /**
   * Query parameters that decide the page, each with its canonical form (null: the default, left out). All others
   * are dropped before the page's cache key is made.
   */
  query: Readonly<Record<string, (value: string | null) => string | null>>;
  module: () => Promise<PageModule>;
  /** What a reader is told when the page's subject could not be had. */
  failure?: (message: string) => FailureText;
}

/** Where a form without scripts leads when it was sent: the page again, with its thanks. */
function sent(value: string | null): string | null {
  return value === '1' ? '1' : null;
}

/** The empty state of a topic (specification, section 2). */
function emptyTopic(): FailureText {
  return { heading: 'No Posts Available', text: 'Sorry, there are no posts available at the moment.' };
}

/** THE page table. Order does not matter: the router ranks paths by how specific they are. */
export const pages: readonly PageRecord[] = [
  { name: 'home', path: '/', query: {}, module: () => import('./pages/home/home-page.tsx') },
  {
    name: 'article',
    path: '/:category/:slug',
    query: {},
    module: () => import('./pages/article/article-page.tsx'),
    failure: (message) => ({ text: `Error: ${message}` }),
  },
  {
    name: 'tag',
    path: '/tag/:subcategory',
    query: {},
    module: () => import('./pages/tag/tag-page.tsx'),
    failure: () => ({ text: 'No Posts Available' }),
  },
  {
    name: 'topic',
    path: '/topic/:category',
    query: { page: canonicalPage },
    module: () => import('./pages/topic/topic-page.tsx'),
    failure: emptyTopic,
  },
  {
    name: 'subtopic',
    path: '/topic/:category/:subcategory',
    query: { page: canonicalPage },
    module: () => import('./pages/topic/topic-page.tsx'),
    failure: emptyTopic,
  },
  {
    name: 'search',
    path: '/search/:category/:term',
    query: { page: canonicalPage },
    module: () => import('./pages/search/search-page.tsx'),
    failure: () => ({
      heading: 'No Result For Your Search',
      text: 'The search could not be carried out. Please try again in a moment.',
    }),
  },
  {
    name: 'events',
    path: '/events',
    query: { tab: canonicalTab, page: canonicalPage },
    module: () => import('./pages/events/events-page.tsx'),
    failure: () => ({ heading: 'Events', text: 'No events have been posted yet.' }),
  },
  {
    name: 'event',
    path: '/events/:slug',
    query: {},
    module: () => import('./pages/event/event-page.tsx'),
    failure: () => ({ text: 'This event is not available at the moment.' }),
  },
  { name: 'about', path: '/about', query: {}, module: () => import('./pages/about/about-page.tsx') },
  {
    name: 'privacy',
    path: '/privacy-policy',
    query: {},
    module: () => import('./pages/privacy/privacy-page.tsx'),
  },
  {
    name: 'opt-out',
    path: '/opt-out-form',
    query: { sent },
    module: () => import('./pages/opt-out/opt-out-page.tsx'),
  },
  {
    name: 'contact',
    path: '/contact-us',
    query: { sent },
    module: () => import('./pages/contact/contact-page.tsx'),
  },
  {
    name: 'subscribe',
    path: '/subscribe',
    query: { sent },
    module: () => import('./pages/subscribe/subscribe-page.tsx'),
  },
  { name: 'sitemap', path: '/sitemap', query: {}, module: () => import('./pages/sitemap/sitemap-page.tsx') },
  {
    name: 'no-posts',
    path: '/no-posts',
    query: {},
    module: () => import('./pages/no-posts/no-posts-page.tsx'),
  },
  { name: 'not-found', path: '*', query: {}, module: () => import('./pages/not-found/not-found-page.tsx') },
];

/** A page's code as the router takes it. Rejects with a `ChunkError`. */
async function loadPage(page: PageRecord): Promise<{ loader?: LoaderFunction; Component: ComponentType }> {
  const { loader, Page } = await loadChunk(page.module);
  return { Component: Page, ...(loader && { loader }) };
}

/** Puts a route's code in its place. Rejects with a `ChunkError`. */
export async function loadCode(route: RouteObject): Promise<void> {
  const page = pages.find(({ name }) => name === route.id);
  if (!page) return;
  Object.assign(route, await loadPage(page));
  delete route.lazy;
}

/** The router would draw nothing at all for a route whose `lazy` rejects: code that did not arrive is a page that fails. */
function failing(error: unknown): { loader: LoaderFunction; Component: ComponentType } {
  return { Component: ErrorBoundary, loader: () => Promise.reject(error) };
}

function toRoute(page: PageRecord): RouteObject {
  return {
    id: page.name,
    path: page.path,
    caseSensitive: true,
    handle: page,
    ErrorBoundary: ErrorBoundary,
    lazy: () => loadPage(page).catch(failing),
  };
}

/** The route objects of both sides. The shell is drawn once; navigations change what stands inside it. */
export const routes: RouteObject[] = [
  {
    id: 'shell',
    Component: Root,
    loader: rootLoader,
    shouldRevalidate: () => false,
    children: pages.map(toRoute),
  },
];
