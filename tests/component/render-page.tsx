import { createMemoryRouter, type DataRouter, RouterContextProvider, RouterProvider } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { createHttpSiteApi } from '#client/api/http-site-api.ts';
import { siteApiContext } from '#client/api/site-api-context.ts';
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
  followLinks(router);
  return router;
}

/** Lets the router take the clicks on links, until the test ends: the next one has a router of its own. */
function followLinks(router: DataRouter): void {
  const added = vi.spyOn(document, 'addEventListener');
  interceptLinks(document, router, routes);
  const listeners = added.mock.calls.map(([type, listener]) => ({ type, listener }));
  added.mockRestore();
  onTestFinished(() => {
    for (const { type, listener } of listeners) document.removeEventListener(type, listener);
  });
}

function initialized(router: DataRouter): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe((state) => state.initialized && resolve());
  });
}
