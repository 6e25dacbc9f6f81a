import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Tracing } from '#server/tracing/tracing.ts';
import type { SiteApi, SubmissionApi } from '#shared/site-api.ts';
import type { PageTable } from './page-table.ts';
import type { RenderBundle, Renderer } from './render-response.ts';
import { uncompress } from './response-cache/encoded-bodies.ts';
import type { Built, ResponseCache } from './response-cache/response-cache.ts';

/** What is cached with a response besides its bytes. */
export interface ResponseExtra {
  /** The template of its page or route, for metrics. */
  route: string | undefined;
  /** The name of its page in the page table; null for feeds and API calls. */
  page: string | null;
  /** The post whose view is counted when a reader gets this response. */
  viewOf: string | null;
}

export interface PageResponsesDeps {
  responses: Pick<ResponseCache<ResponseExtra>, 'get'>;
  createSiteApi: (tracker: DependencyTracker) => SiteApi;
  bundle: () => Promise<Pick<RenderBundle, 'loadPage' | 'canonicalUrl'>>;
  renderer: Pick<Renderer, 'render'>;
  pageTable: Pick<PageTable, 'templateOf'>;
  origin: string;
  /** Called with the time that a render took, without the load of its data, in milliseconds. */
  onRender?: (ms: number) => void;
  tracing: Pick<Tracing, 'record'>;
}

/** The canonical URL of the not-found page. */
const NOT_FOUND = '/404';

/** The site's pages by request target: matches the route, loads the data and renders, once per version of the data. */
export function createPageResponses(deps: PageResponsesDeps) {
  const { responses, createSiteApi, bundle, renderer, pageTable, origin, onRender, tracing } = deps;

  async function build(url: string, tracker: DependencyTracker): Promise<Built<ResponseExtra>> {
    const { loadPage, canonicalUrl } = await bundle();
    const page = await loadPage({ url, origin, api: createSiteApi(tracker) });
    if (page.kind === 'submitted') throw new Error(`${url} was loaded without a form post`);
    if (page.kind !== 'page') return page;
    const { response, renderMs, compressMs } = await renderer.render(page);
    onRender?.(renderMs);
    tracing.record([
      { name: 'render', ms: renderMs },
      { name: 'compress', ms: compressMs },
    ]);
    const extra = { route: pageTable.templateOf(url), page: canonicalUrl(url).page, viewOf: page.viewOf };
    return { kind: 'response', response, extra };
  }

  return {
    /** Runs the action of a page. Null where the submission was accepted, else the page with its messages, never cached. */
    async submit(url: string, fields: Record<string, string>, api: SubmissionApi) {
      const page = await (await bundle()).loadPage({
        url,
        origin,
        api: createSiteApi(new DependencyTracker()),
        submission: { fields, api },
      });
      if (page.kind === 'submitted') return null;
      if (page.kind !== 'page') throw new Error(`there is no page of a form at ${url}`);
      const { response } = await renderer.render(page);
      const html = new TextDecoder().decode(uncompress(response));
      return { status: page.actionStatus ?? page.status, html };
    },
    /** Whether a request target matches a page of the page table. What it is about may still not exist. */
    async has(target: string): Promise<boolean> {
      return (await bundle()).canonicalUrl(target).page !== 'not-found';
    },
    /**
     * Returns the page of a request target, from the cache or rendered. A target without a page, and one whose primary
     * resource the upstream does not know, gets the not-found page, a single cached response. Rejects where a render
     * fails by a fault of ours. `respelled`: the path is not canonical, and `location` is.
     */
    async serve(target: string) {
      const { url, redirect } = (await bundle()).canonicalUrl(target);
      if (redirect !== null) return { kind: 'respelled' as const, location: redirect };
      const served = await responses.get(url, (tracker) => build(url, tracker));
      if (served.kind !== 'not-found') return served;
      const notFound = await responses.get(NOT_FOUND, (tracker) => build(NOT_FOUND, tracker));
      if (notFound.kind !== 'response') throw new Error('the not-found page is not a page');
      return { ...notFound, outcome: served.outcome };
    },
  };
}

export type PageResponses = ReturnType<typeof createPageResponses>;
