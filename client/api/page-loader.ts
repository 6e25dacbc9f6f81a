import { createContext, type LoaderFunction, type Params, redirect } from 'react-router';
import type { SiteApi, SubmissionApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { decodeSegment, pageNumber } from '#shared/urls.ts';

/** What loaders read with. */
interface Reads {
  /**
   * Makes the `SiteApi` of one navigation: the content service on the server, HTTP in the browser. `signal`: aborted when the
   * navigation is superseded; what only it waits for is cancelled.
   */
  readsUntil(signal: AbortSignal): SiteApi;
}

/** Router context that holds what the loaders read with. */
export const siteApiContext = createContext<Reads>();

/** Router context that holds the actions' `SubmissionApi`: the outbox on the server, HTTP in the browser. */
export const submissionApiContext = createContext<SubmissionApi>();

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

/** Returns a page's loader as one of the router, which redirects after a `SiteError` with `goTo`. */
export function routerLoader(load: PageLoader<unknown>): LoaderFunction {
  return async ({ context, request: { signal, url }, params }) => {
    const { readsUntil } = context.get(siteApiContext);
    try {
      return await load(loaderInput(readsUntil(signal), new URL(url), params));
    } catch (error) {
      throw error instanceof SiteError && error.goTo !== null ? redirect(error.goTo) : error;
    }
  };
}
