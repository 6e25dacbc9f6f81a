import type { FastifyInstance } from 'fastify';
import { createServer } from 'vite';
import { type PageAssets, type RenderBundle, type Renderer, renderResponse } from './renderer.ts';

// React's refresh preamble is a file of its own: the policy allows no inline script.
const SCRIPTS =
  '<script type="module" src="/@vite/client"></script><script type="module" src="/client/refresh-preamble.js"></script>' +
  '<script type="module" src="/client/entry-client.tsx"></script>';

function assetsOf({ pages }: Pick<RenderBundle, 'pages'>): PageAssets {
  return {
    head: '<link rel="stylesheet" href="/client/styles/site.css">',
    scripts: Object.fromEntries(pages.map(({ name }) => [name, SCRIPTS])),
  };
}

/** The site as Vite serves it in development: pages are rendered from the sources as they are, with hot reload. */
export async function createViteDevServer(root: string) {
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: 'custom' });
  async function bundle(): Promise<RenderBundle> {
    // Vite cannot know what a module exports; this one is `client/entry-server.tsx`.
    return (await vite.ssrLoadModule('/client/entry-server.tsx')) as RenderBundle;
  }
  const renderer: Renderer = {
    async render(page) {
      const current = await bundle();
      return renderResponse(current, assetsOf(current), page);
    },
    waiting: () => 0,
    lowerPriority: () => undefined,
    close: async () => undefined,
  };
  return {
    deps: { clientDir: null, bundle, renderer },
    attach(app: FastifyInstance): void {
      app.addHook('onRequest', (request, reply, done) =>
        vite.middlewares(request.raw, reply.raw, () => done()),
      );
    },
    close: () => vite.close(),
  };
}
