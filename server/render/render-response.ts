import type * as EntryServer from '#client/entry-server.tsx';
import { buildCachedResponseSync, type CachedResponse } from './response-cache/encoded-bodies.ts';

/** The server-render bundle: the built file, or in development a module of Vite's. */
export type RenderBundle = Pick<typeof EntryServer, 'loadPage' | 'renderPage' | 'canonicalUrl' | 'pages'>;

/** The tags that the build adds to each document. */
export type PageAssets = EntryServer.PageAssets;
export type PageScripts = EntryServer.PageScripts;

/** A page with its data. */
export type PageToRender = Omit<
  EntryServer.LoadedPage & { kind: 'page' },
  'kind' | 'viewOf' | 'actionStatus'
>;

/** A rendered page. */
export interface RenderedPage {
  response: CachedResponse;
  renderMs: number;
  compressMs: number;
}

/** Renders pages, on this thread or on another. */
export interface Renderer {
  /** Resolves once the thread runs that it renders on, or has failed. */
  started: Promise<unknown>;
  /** Rejects where the render fails by a fault of ours. */
  render(page: PageToRender): Promise<RenderedPage>;
  /** Pages that wait to be rendered, the current one included. */
  queueLength(): number;
  close(): Promise<void>;
}

const HTML = 'text/html; charset=utf-8';

/** Renders and compresses a page on this thread, which it blocks for milliseconds. */
export async function renderResponse(
  { renderPage }: Pick<RenderBundle, 'renderPage'>,
  assets: PageAssets,
  { renderInput, status }: PageToRender,
): Promise<RenderedPage> {
  const began = performance.now();
  const html = await renderPage(renderInput, assets);
  const rendered = performance.now();
  const response = buildCachedResponseSync(status, HTML, html);
  return { response, renderMs: rendered - began, compressMs: performance.now() - rendered };
}
