import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'vite';
import { type PageAssets, type RenderBundle, type Renderer, renderResponse } from './render-response.ts';

// React's refresh preamble is a file of its own: the policy allows no inline script.
const SCRIPTS =
  '<script type="module" src="/@vite/client"></script><script type="module" src="/client/refresh-preamble.js"></script>' +
  '<script type="module" src="/client/entry-client.tsx"></script>';

const HEAD_TAGS = '<link rel="stylesheet" href="/client/styles/site.css">';

function assetsOf({ pages }: Pick<RenderBundle, 'pages'>): PageAssets {
  return {
    head: HEAD_TAGS,
    scripts: Object.fromEntries(pages.map(({ name }) => [name, { files: [], tags: SCRIPTS }])),
  };
}

/** Renders pages from the sources through Vite, with hot reload. */
export async function createViteDevServer(root: string) {
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: 'custom' });
  async function bundle(): Promise<RenderBundle> {
    // `ssrLoadModule` returns an untyped module.
    return (await vite.ssrLoadModule('/client/entry-server.tsx')) as RenderBundle;
  }
  const renderer: Renderer = {
    started: Promise.resolve(),
    async render(page) {
      const current = await bundle();
      return renderResponse(current, assetsOf(current), page);
    },
    queueLength: () => 0,
    close: async () => undefined,
  };
  return {
    bundle,
    renderer,
    headTags: HEAD_TAGS,
    styles: await readFile(join(root, 'client/styles/tokens.css'), 'utf8'),
    clientDir: null,
    viteMiddlewares: vite.middlewares,
    close: () => vite.close(),
  };
}
