import type * as EntryServer from '#client/entry-server.tsx';
import { buildCachedResponseSync, type CachedResponse } from './cached-response.ts';

/** The server-render bundle: in production a built file, in development Vite's. */
export type RenderBundle = Pick<typeof EntryServer, 'loadPage' | 'renderPage' | 'canonicalUrl' | 'pages'>;

/** What the build adds to each document. */
export type PageAssets = EntryServer.PageAssets;

/** A page whose data is there. */
export type PageToRender = Omit<EntryServer.LoadedPage & { kind: 'page' }, 'kind' | 'viewOf'>;

/** A page as it goes out. */
export interface RenderedPage {
  response: CachedResponse;
  /** How long it was drawn, in milliseconds. */
  renderMs: number;
}

/** Where pages become bytes. */
export interface Renderer {
  /** Rejects where the page cannot be drawn, for a reason that is ours. */
  render(page: PageToRender): Promise<RenderedPage>;
  /** How many pages wait to be drawn. */
  waiting(): number;
  /** From now on, pages that are ready to be sent come first: for a server that has become ready. */
  lowerPriority(): void;
  close(): Promise<void>;
}

const HTML = 'text/html; charset=utf-8';

/** Draws and compresses a page on this thread, which it holds for milliseconds. */
export async function renderResponse(
  { renderPage }: Pick<RenderBundle, 'renderPage'>,
  assets: PageAssets,
  { renderInput, status }: PageToRender,
): Promise<RenderedPage> {
  const began = performance.now();
  const html = await renderPage(renderInput, assets);
  const renderMs = performance.now() - began;
  return { response: buildCachedResponseSync(status, HTML, html), renderMs };
}
