import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RenderQueueOptions } from './render-queue.ts';
import type { RenderBundle, Renderer } from './render-response.ts';
import { loadBuild } from './site-build.ts';

/** The middlewares of Vite's dev server. Not its own type, because production does not install Vite. */
export type ViteMiddlewares = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Where pages come from: the build, or in development the sources through Vite. */
export interface PageSource {
  bundle: () => Promise<RenderBundle>;
  renderer: Renderer;
  /** Tags for the head of a page: styles, fonts, theme. */
  headTags: string;
  /** The style sheet, or what of it holds the design tokens. */
  styles: string;
  /** The folder of the built client; null in development. */
  clientDir: string | null;
  /** Serves the client in development; null otherwise. */
  viteMiddlewares: ViteMiddlewares | null;
  close(): Promise<void>;
}

export interface PageSourceOptions {
  root: string;
  development: boolean;
  logger: Logger;
  isBehindCdn: boolean;
  createRenderer: (options: RenderQueueOptions) => Renderer;
}

/** Opens the source of the pages. Throws where the build is missing or broken. */
export async function openPageSource(options: PageSourceOptions): Promise<PageSource> {
  const { root, development, logger, isBehindCdn, createRenderer } = options;
  if (development) {
    const { createViteDevServer } = await import('./vite-dev-server.ts');
    return createViteDevServer(root);
  }
  const { bundle, worker, assets, styles } = await loadBuild(root, { reportsViews: isBehindCdn });
  const renderer = createRenderer({ worker, assets, logger });
  return {
    bundle: async () => bundle,
    renderer,
    headTags: assets.head,
    styles,
    clientDir: join(root, 'dist/client'),
    viteMiddlewares: null,
    close: renderer.close,
  };
}
