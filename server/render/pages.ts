import type * as EntryServer from '#client/entry-server.tsx';
import { Reading } from '#server/cache/dependency-tracker.ts';
import type { SiteApi } from '#shared/site-api.ts';
import type { Drawing, RenderBundle } from './renderer.ts';
import type { AnswerCache, Built, Served } from './response-cache.ts';

type FormEcho = EntryServer.FormEcho;

/** What is known of an answer besides its bytes. */
export interface AnswerExtra {
  /** The post whose view is counted when a reader gets this answer. */
  viewOf: string | null;
}

export interface PagesDeps {
  answers: Pick<AnswerCache<AnswerExtra>, 'get'>;
  createSiteApi: (reading: Reading) => SiteApi;
  bundle: () => Promise<Pick<RenderBundle, 'loadPage' | 'canonicalUrl'>>;
  drawing: Pick<Drawing, 'draw'>;
  origin: string;
  /** Told how long it took to draw a page, its data not included, in milliseconds. */
  onRender?: (ms: number) => void;
}

/** The canonical address of the not-found page. */
const NOT_FOUND = '/404';

/** What a request for a page gets. */
export type ServedPage =
  | Exclude<Served<AnswerExtra>, { kind: 'not-found' }>
  /** Its path is spelled otherwise. */
  | { kind: 'respelled'; location: string };

/** The site's pages by request target: route match, data, React, bytes; each made once per version of its data. */
export function createPages({ answers, createSiteApi, bundle, drawing, origin, onRender }: PagesDeps) {
  async function build(url: string, reading: Reading): Promise<Built<AnswerExtra>> {
    const page = await (await bundle()).loadPage({ url, origin, api: createSiteApi(reading) });
    if (page.kind !== 'page') return page;
    const { answer, renderMs } = await drawing.draw(page);
    onRender?.(renderMs);
    return { kind: 'answer', answer, extra: { viewOf: page.viewOf }, renderMs };
  }

  return {
    /** A page with what was typed into its form and what was wrong: for one answer, never kept. */
    async renderEcho(url: string, echo: FormEcho): Promise<string> {
      const page = await (await bundle()).loadPage({ url, origin, api: createSiteApi(new Reading()), echo });
      if (page.kind !== 'page') throw new Error(`there is no page of a form at ${url}`);
      const { answer } = await drawing.draw(page);
      return answer.variants.identity.body.toString();
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
      const served = await answers.get(url, (reading) => build(url, reading));
      if (served.kind !== 'not-found') return served;
      const notFound = await answers.get(NOT_FOUND, (reading) => build(NOT_FOUND, reading));
      if (notFound.kind !== 'answer') throw new Error('the not-found page leads elsewhere');
      return { ...notFound, outcome: served.outcome };
    },
  };
}

export type Pages = ReturnType<typeof createPages>;
