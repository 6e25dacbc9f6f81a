import type { FastifyInstance } from 'fastify';
import { createServer } from 'vite';
import type { PageAssets, RenderBundle } from './pages.ts';

const ASSETS: PageAssets = {
  head: '<link rel="stylesheet" href="/client/styles/site.css">',
  // React's refresh preamble is a file of its own: the policy allows no inline script.
  scripts: () =>
    '<script type="module" src="/@vite/client"></script><script type="module" src="/client/refresh-preamble.js"></script>' +
    '<script type="module" src="/client/entry-client.tsx"></script>',
};

/** The site as Vite serves it in development: pages are rendered from the sources as they are, with hot reload. */
export async function createDevelopmentServer(root: string) {
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: 'custom' });
  return {
    deps: {
      clientDir: null,
      async bundle() {
        // Vite cannot know what a module exports; this one is `client/entry-server.tsx`.
        const bundle = (await vite.ssrLoadModule('/client/entry-server.tsx')) as RenderBundle;
        return { bundle, assets: ASSETS };
      },
    },
    attach(app: FastifyInstance): void {
      app.addHook('onRequest', (request, reply, done) =>
        vite.middlewares(request.raw, reply.raw, () => done()),
      );
    },
    close: () => vite.close(),
  };
}
