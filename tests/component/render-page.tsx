import { createMemoryRouter, type DataRouter, RouterContextProvider, RouterProvider } from 'react-router';
import { render } from 'vitest-browser-react/pure';
import { createHttpSiteApi } from '#client/api/http-site-api.ts';
import { siteApiContext } from '#client/api/page-loader.ts';
import { trackHeaderState } from '#client/layout/header/header-state.ts';
import { Layout } from '#client/layout/layout.tsx';
import { SiteProvider } from '#client/layout/site-context.tsx';
import { rootLoader } from '#client/root.tsx';
import { createRoutes } from '#client/routes.tsx';
import { interceptLinks } from '#client/routing/intercept-links.ts';
import { defaultSite } from '#shared/site.ts';
import { listenDuringTest } from './listen-during-test.ts';

/**
 * Renders a page of the site by the page table, in the site's layout, over a data router in memory, and adds the listeners
 * of a loaded document. Its data comes from `stubApi`. Resolves to the router once the page has loaded.
 */
export async function renderPage(path: string): Promise<DataRouter> {
  const api = createHttpSiteApi();
  const context = new RouterContextProvider(new Map([[siteApiContext, api]]));
  const routes = createRoutes([]);
  const children = routes.flatMap((route) => route.children ?? []);
  const router = createMemoryRouter([{ id: 'root', loader: rootLoader, Component: Layout, children }], {
    initialEntries: [path],
    getContext: () => context,
  });
  await initialized(router);
  await render(
    <SiteProvider value={{ origin: 'https://www.example.com', api, settings: defaultSite }}>
      <RouterProvider router={router} />
    </SiteProvider>,
  );
  listenDuringTest(() => {
    interceptLinks(document, router, routes);
    const header = document.querySelector('.header');
    if (header) trackHeaderState(document, header.getBoundingClientRect());
  });
  return router;
}

function initialized(router: DataRouter): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe((state) => state.initialized && resolve());
  });
}
