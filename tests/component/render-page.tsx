import { createMemoryRouter, type DataRouter, RouterContextProvider, RouterProvider } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { createHttpSiteApi } from '#client/api/http-site-api.ts';
import { siteApiContext } from '#client/api/site-api-context.ts';
import { trackHeaderState } from '#client/layout/header-state.ts';
import { Layout } from '#client/layout/layout.tsx';
import { rootLoader } from '#client/layout/root-loader.ts';
import { SiteProvider } from '#client/layout/site-context.tsx';
import { routes } from '#client/routes.tsx';
import { interceptLinks } from '#client/routing/intercept-links.ts';

/**
 * Renders a page of the site by the page table, in the site's layout, over a data router in memory. Its data comes from
 * `stubApi`. Resolves to the router once the page has loaded.
 */
export async function renderPage(path: string): Promise<DataRouter> {
  const api = createHttpSiteApi();
  const context = new RouterContextProvider(new Map([[siteApiContext, api]]));
  const children = routes.flatMap((route) => route.children ?? []);
  const router = createMemoryRouter([{ id: 'root', loader: rootLoader, Component: Layout, children }], {
    initialEntries: [path],
    getContext: () => context,
  });
  await initialized(router);
  await render(
    <SiteProvider value={{ origin: 'https://www.example.com', api }}>
      <RouterProvider router={router} />
    </SiteProvider>,
  );
  addListeners(router);
  return router;
}

/** Adds the document's own listeners, for links and for the header's state, until the test ends. */
function addListeners(router: DataRouter): void {
  const targets = [document, window].map((target) => ({
    target,
    added: vi.spyOn(target, 'addEventListener'),
  }));
  interceptLinks(document, router, routes);
  trackHeaderState(document);
  for (const { target, added } of targets) {
    const { calls } = added.mock;
    added.mockRestore();
    onTestFinished(() => {
      for (const [type, listener, options] of calls) target.removeEventListener(type, listener, options);
    });
  }
}

function initialized(router: DataRouter): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe((state) => state.initialized && resolve());
  });
}
