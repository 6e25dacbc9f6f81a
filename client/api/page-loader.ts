import { createContext, type LoaderFunction, type Params, redirect } from 'react-router';
import type { SiteApi, SubmissionApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { decodeSegment, pageNumber } from '#shared/urls.ts';

/**
 * Router context that holds what makes the loaders' `SiteApi`: the content service on the server, HTTP in the browser.
 * `signal`: aborted when the navigation is superseded; what only it waits for is cancelled.
 */
export const siteApiContext = createContext<(signal: AbortSignal) => SiteApi>();

/** Router context that holds the actions' `SubmissionApi`: the outbox on the server, HTTP in the browser. */
export const submissionApiContext = createContext<SubmissionApi>();

/** Router context that holds what returns the data of a page that Back or Forward leads to; undefined for any other page. */
export const shownDataContext = createContext<(url: string) => unknown>(() => undefined);

/** What the loader of a page gets. */
interface LoaderInput {
  api: SiteApi;
  url: URL;
  /** Parameters of its path. */
  params: Params;
  /** The page of a list that its query asks for, from 1. */
  page: number;
}

/** Loads a page's data, in the browser and on the server. */
export type PageLoader<Data> = (input: LoaderInput) => Promise<Data>;

/** Returns the input of the loader of the page at `url`. `matched`: the parameters that the router has found there. */
export function loaderInput(api: SiteApi, url: URL, matched: Params): LoaderInput {
  const names = Object.keys(matched);
  // Parameters end each path. Those of the router do not distinguish a slash escaped once from one escaped twice.
  const segments = url.pathname.replace(/\/$/, '').split('/').slice(-names.length);
  const params = Object.fromEntries(names.map((name, at) => [name, decodeSegment(segments[at] ?? '') ?? '']));
  return { api, url, params, page: pageNumber(url.searchParams.get('page')) };
}

/**
 * Returns a page's loader as one of the router, which redirects after a `SiteError` with `goTo`, and without a network
 * returns what the page has shown.
 */
export function routerLoader(load: PageLoader<unknown>): LoaderFunction {
  return async ({ context, request, params }) => {
    const api = context.get(siteApiContext)(request.signal);
    try {
      return await load(loaderInput(api, new URL(request.url), params));
    } catch (error) {
      if (error instanceof SiteError && error.goTo !== null) throw redirect(error.goTo);
      const isUnreachable = error instanceof SiteError && error.kind === 'unreachable';
      const shown = isUnreachable && context.get(shownDataContext)(request.url);
      if (!shown) throw error;
      return shown;
    }
  };
}
