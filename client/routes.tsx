import type { ComponentType } from 'react';
import type { LoaderFunction, RouteObject } from 'react-router';
import { PageFailure } from './layout/page-failure.tsx';
import { Shell } from './layout/shell.tsx';
import { shellLoader } from './layout/shell-loader.ts';
import { loadChunk } from './load-chunk.ts';

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
  failure?: (message: string) => string;
}

/** THE page table. Order does not matter: the router ranks paths by how specific they are. */
export const pages: readonly PageRecord[] = [
  { name: 'home', path: '/', query: {}, module: () => import('./pages/home/home-page.tsx') },
  {
    name: 'article',
    path: '/:category/:slug',
    query: {},
    module: () => import('./pages/article/article-page.tsx'),
    failure: (message) => `Error: ${message}`,
  },
  { name: 'not-found', path: '*', query: {}, module: () => import('./pages/not-found/not-found-page.tsx') },
];

function toRoute(page: PageRecord): RouteObject {
  return {
    id: page.name,
    path: page.path,
    handle: page,
    ErrorBoundary: PageFailure,
    lazy: async () => {
      const { loader, Page } = await loadChunk(page.module);
      return { Component: Page, ...(loader && { loader }) };
    },
  };
}

/** The route objects of both sides. The shell is drawn once; navigations change what stands inside it. */
export const routes: RouteObject[] = [
  {
    id: 'shell',
    Component: Shell,
    loader: shellLoader,
    shouldRevalidate: () => false,
    children: pages.map(toRoute),
  },
];
