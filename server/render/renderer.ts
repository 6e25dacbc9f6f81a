import type * as EntryServer from '#client/entry-server.tsx';
import { type FinishedAnswer, finishAnswerHere } from './cached-response.ts';

/** The server-render bundle: in production a built file, in development Vite's. */
export type RenderBundle = Pick<typeof EntryServer, 'loadPage' | 'drawPage' | 'canonicalUrl' | 'pages'>;

/** What the build adds to each document. */
export type PageAssets = EntryServer.PageAssets;

/** A page whose data is there. */
export type PageToDraw = Omit<EntryServer.LoadedPage & { kind: 'page' }, 'kind' | 'viewOf'>;

/** A page as it goes out. */
export interface DrawnPage {
  answer: FinishedAnswer;
  /** How long it was drawn, in milliseconds. */
  renderMs: number;
}

/** Where pages become bytes. */
export interface Drawing {
  /** Rejects where the page cannot be drawn, for a reason that is ours. */
  draw(page: PageToDraw): Promise<DrawnPage>;
  /** How many pages wait to be drawn. */
  waiting(): number;
  /** From now on, pages that are ready to be sent come first: for a server that has become ready. */
  lowerPriority(): void;
  close(): Promise<void>;
}

const HTML = 'text/html; charset=utf-8';

/** Draws and compresses a page on this thread, which it holds for milliseconds. */
export async function drawFinished(
  { drawPage }: Pick<RenderBundle, 'drawPage'>,
  assets: PageAssets,
  { drawing, status }: PageToDraw,
): Promise<DrawnPage> {
  const began = performance.now();
  const html = await drawPage(drawing, assets);
  const renderMs = performance.now() - began;
  return { answer: finishAnswerHere(status, HTML, html), renderMs };
}
