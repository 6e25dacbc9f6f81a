import type * as EntryServer from '#client/entry-server.tsx';
import { Reading } from '#server/cache/reading.ts';
import type { SiteApi } from '#shared/site-api.ts';
import type { AnswerCache, Built, Served } from './answer-cache.ts';
import { finishAnswer } from './finished-answer.ts';
import type { RenderTurns } from './render-turns.ts';

/** The server-render bundle: in production a built file, in development Vite's. */
export type RenderBundle = Pick<typeof EntryServer, 'renderPage' | 'canonicalUrl'>;

type FormEcho = EntryServer.FormEcho;

/** What the build adds to each document. */
export type PageAssets = EntryServer.PageInput['assets'];

/** What is known of an answer besides its bytes. */
export interface AnswerExtra {
  /** The post whose view is counted when a reader gets this answer. */
  viewOf: string | null;
}

export interface PagesDeps {
  answers: Pick<AnswerCache<AnswerExtra>, 'standing' | 'get'>;
  createSiteApi: (reading: Reading) => SiteApi;
  bundle: () => Promise<{ bundle: RenderBundle; assets: PageAssets }>;
  origin: string;
  turns: RenderTurns;
  /** Told how long it took to draw a page, its data not included, in milliseconds; 0 for a redirect. */
  onRender?: (ms: number) => void;
}

const HTML = 'text/html; charset=utf-8';

/** The site's pages by request target: route match, data, React, bytes; each made once per version of its data. */
export function createPages({ answers, createSiteApi, bundle, origin, turns, onRender }: PagesDeps) {
  async function build(url: string, reading: Reading): Promise<Built<AnswerExtra>> {
    const { bundle: render, assets } = await bundle();
    let drawing = performance.now();
    const page = await render.renderPage({
      url,
      origin,
      api: createSiteApi(reading),
      assets,
      turn: async () => {
        await turns.take();
        drawing = performance.now();
      },
    });
    const renderMs = page.kind === 'redirect' ? 0 : performance.now() - drawing;
    onRender?.(renderMs);
    if (page.kind === 'redirect') return page;
    const answer = await finishAnswer(page.status, HTML, page.html);
    return { kind: 'answer', answer, extra: { viewOf: page.viewOf }, renderMs };
  }

  return {
    /** The page that stands for a request's path and query as they are spelled, if one does: the warm path. */
    standing(target: string): Served<AnswerExtra> | null {
      return answers.standing(target);
    },
    /** A page with what was typed into its form and what was wrong: for one answer, never kept. */
    async renderEcho(url: string, echo: FormEcho): Promise<string> {
      const { bundle: render, assets } = await bundle();
      const page = await render.renderPage({ url, origin, api: createSiteApi(new Reading()), assets, echo });
      if (page.kind === 'redirect') throw new Error(`the page of a form leads to ${page.location}`);
      return page.html;
    },
    /** The page for a request's path and query. Rejects when a render fails for a reason that is ours. */
    async serve(target: string): Promise<Served<AnswerExtra>> {
      const { url } = (await bundle()).bundle.canonicalUrl(target);
      return answers.get(url, (reading) => build(url, reading));
    },
  };
}

export type Pages = ReturnType<typeof createPages>;
