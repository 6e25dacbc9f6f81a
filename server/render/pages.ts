import type * as EntryServer from '#client/entry-server.tsx';
import { DependencyTracker } from '#server/cache/dependency-tracker.ts';
import type { SiteApi } from '#shared/site-api.ts';
import type { RenderBundle, Renderer } from './renderer.ts';
import type { Built, ResponseCache, Served } from './response-cache.ts';

type FormResult = EntryServer.FormResult;

/** What is known of an answer besides its bytes. */
export interface ResponseExtra {
  /** The post whose view is counted when a reader gets this answer. */
  viewOf: string | null;
}

export interface PagesDeps {
  responses: Pick<ResponseCache<ResponseExtra>, 'get'>;
  createSiteApi: (tracker: DependencyTracker) => SiteApi;
  bundle: () => Promise<Pick<RenderBundle, 'loadPage' | 'canonicalUrl'>>;
  renderer: Pick<Renderer, 'render'>;
  origin: string;
  /** Told how long it took to draw a page, its data not included, in milliseconds. */
  onRender?: (ms: number) => void;
}

/** The canonical address of the not-found page. */
const NOT_FOUND = '/404';

/** What a request for a page gets. */
export type ServedPage =
  | Exclude<Served<ResponseExtra>, { kind: 'not-found' }>
  /** Its path is spelled otherwise. */
  | { kind: 'respelled'; location: string };

/** The site's pages by request target: route match, data, React, bytes; each made once per version of its data. */
export function createPages({ responses, createSiteApi, bundle, renderer, origin, onRender }: PagesDeps) {
  async function build(url: string, tracker: DependencyTracker): Promise<Built<ResponseExtra>> {
    const page = await (await bundle()).loadPage({ url, origin, api: createSiteApi(tracker) });
    if (page.kind !== 'page') return page;
    const { response, renderMs } = await renderer.render(page);
    onRender?.(renderMs);
    return { kind: 'response', response, extra: { viewOf: page.viewOf }, renderMs };
  }

  return {
    /** A page with what was typed into its form and what was wrong: for one answer, never kept. */
    async renderFormResult(url: string, formResult: FormResult): Promise<string> {
      const page = await (await bundle()).loadPage({
        url,
        origin,
        api: createSiteApi(new DependencyTracker()),
        formResult,
      });
      if (page.kind !== 'page') throw new Error(`there is no page of a form at ${url}`);
      const { response } = await renderer.render(page);
      return response.variants.identity.body.toString();
    },
    /** Whether a request's path is that of a page, as far as its shape tells. */
    async has(target: string): Promise<boolean> {
      return (await bundle()).canonicalUrl(target).page !== 'not-found';
    },
    /**
     * The page for a request's path and query. An unknown one, and one that the upstream does not know, is the
     * not-found page, a single response. Rejects when a render fails for a reason that is ours.
     */
    async serve(target: string): Promise<ServedPage> {
      const { url, redirect } = (await bundle()).canonicalUrl(target);
      if (redirect !== null) return { kind: 'respelled', location: redirect };
      const served = await responses.get(url, (tracker) => build(url, tracker));
      if (served.kind !== 'not-found') return served;
      const notFound = await responses.get(NOT_FOUND, (tracker) => build(NOT_FOUND, tracker));
      if (notFound.kind !== 'response') throw new Error('the not-found page leads elsewhere');
      return { ...notFound, outcome: served.outcome };
    },
  };
}

export type Pages = ReturnType<typeof createPages>;
