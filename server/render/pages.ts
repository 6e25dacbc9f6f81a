import type * as EntryServer from '#client/entry-server.tsx';
import { Reading } from '#server/cache/reading.ts';
import type { SiteApi } from '#shared/site-api.ts';
import type { AnswerCache, Built, Served } from './answer-cache.ts';
import type { Drawing, RenderBundle } from './drawing.ts';

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

/** The site's pages by request target: route match, data, React, bytes; each made once per version of its data. */
export function createPages({ answers, createSiteApi, bundle, drawing, origin, onRender }: PagesDeps) {
  async function build(url: string, reading: Reading): Promise<Built<AnswerExtra>> {
    const page = await (await bundle()).loadPage({ url, origin, api: createSiteApi(reading) });
    if (page.kind === 'redirect') return page;
    const { answer, renderMs } = await drawing.draw(page);
    onRender?.(renderMs);
    return { kind: 'answer', answer, extra: { viewOf: page.viewOf }, renderMs };
  }

  return {
    /** A page with what was typed into its form and what was wrong: for one answer, never kept. */
    async renderEcho(url: string, echo: FormEcho): Promise<string> {
      const page = await (await bundle()).loadPage({ url, origin, api: createSiteApi(new Reading()), echo });
      if (page.kind === 'redirect') throw new Error(`the page of a form leads to ${page.location}`);
      const { answer } = await drawing.draw(page);
      return answer.variants.identity.body.toString();
    },
    /** The page for a request's path and query. Rejects when a render fails for a reason that is ours. */
    async serve(target: string): Promise<Served<AnswerExtra>> {
      const { url } = (await bundle()).canonicalUrl(target);
      return answers.get(url, (reading) => build(url, reading));
    },
  };
}

export type Pages = ReturnType<typeof createPages>;
