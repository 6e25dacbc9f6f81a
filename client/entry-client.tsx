import './styles/site.css';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import {
  createBrowserRouter,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  RouterProvider,
} from 'react-router';
import { countViews } from './count-views.ts';
import { hydrationData, readState } from './document-state.ts';
import { fetchAhead } from './fetch-ahead.ts';
import { FormEchoProvider, NO_ECHO } from './form-echo.tsx';
import { createHttpSiteApi } from './http-site-api.ts';
import { routes } from './routes.tsx';
import { siteApiContext } from './site-api-context.ts';
import { SiteProvider } from './site-context.tsx';

/** The matched routes' code is there before hydration, so that nothing the server drew is taken away again. */
async function loadMatched(route: RouteObject): Promise<void> {
  if (typeof route.lazy !== 'function') return;
  Object.assign(route, await route.lazy());
  delete route.lazy;
}

const state = readState(document);
const api = createHttpSiteApi(window.fetch.bind(window));
const context = new RouterContextProvider(new Map([[siteApiContext, api]]));

await Promise.all((matchRoutes(routes, window.location) ?? []).map((match) => loadMatched(match.route)));

const router = createBrowserRouter(routes, {
  hydrationData: hydrationData(state),
  getContext: () => context,
});

hydrateRoot(
  document,
  <StrictMode>
    <SiteProvider value={{ origin: state.origin, api, actions: api }}>
      <FormEchoProvider value={state.echo ?? NO_ECHO}>
        <RouterProvider router={router} />
      </FormEchoProvider>
    </SiteProvider>
  </StrictMode>,
);

countViews(router, api);
fetchAhead(document, routes, context);
