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
  /** In the browser: the data of the last pages by their URL, for when the site does not respond. */
  lastPages?: Map<string, unknown>;
}

/** Router context that holds what the loaders read with. */
export const siteApiContext = createContext<Reads>();

/** Router context that holds the actions' `SubmissionApi`: the outbox on the server, HTTP in the browser. */
export const submissionApiContext = createContext<SubmissionApi>();

const MAX_LAST_PAGES = 10;

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
 * Returns a page's loader as one of the router, which redirects after a `SiteError` with `goTo`. Where the site does not respond,
 * one of the last pages is as it was.
 */
export function routerLoader(load: PageLoader<unknown>): LoaderFunction {
  return async ({ context, request: { signal, url }, params }) => {
    const { readsUntil, lastPages } = context.get(siteApiContext);
    try {
      const data = await load(loaderInput(readsUntil(signal), new URL(url), params));
      if (lastPages) addPage(lastPages, url, data);
      return data;
    } catch (error) {
      if (!(error instanceof SiteError)) throw error;
      if (error.kind === 'not-found') lastPages?.delete(url);
      if (error.goTo !== null) throw redirect(error.goTo);
      const known = error.kind === 'unreachable' && lastPages?.get(url);
      if (known) return known;
      throw error;
    }
  };
}

function addPage(lastPages: Map<string, unknown>, url: string, data: unknown): void {
  lastPages.delete(url);
  lastPages.set(url, data);
  const [oldest = ''] = lastPages.keys();
  if (lastPages.size > MAX_LAST_PAGES) lastPages.delete(oldest);
}
