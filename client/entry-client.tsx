import './styles/site.css';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterContextProvider, RouterProvider } from 'react-router';
import { WEB_VITALS_SAMPLE } from '#shared/models/web-vitals.ts';
import { countPageViews } from './analytics/page-views.ts';
import { createHttpSiteApi } from './api/http-site-api.ts';
import { siteApiContext } from './api/site-api-context.ts';
import { FormResultProvider, NO_FORM_RESULT } from './components/field/form-result.tsx';
import { hydrationData, readState } from './hydration-data.ts';
import { SiteProvider } from './layout/site-context.tsx';
import { loadCode, routes } from './routes.tsx';
import { interceptLinks } from './routing/intercept-links.ts';
import { prefetch } from './routing/prefetch.ts';

const state = readState(document);
const api = createHttpSiteApi(window.fetch.bind(window));
const context = new RouterContextProvider(new Map([[siteApiContext, api]]));

// A form post without scripts is answered at the form's own address with the page: its address is the page's.
if (state.formResult) window.history.replaceState(null, '', state.formResult.page);

const matched = matchRoutes(routes, window.location) ?? [];
const { id = '', path } = matched.at(-1)?.route ?? {};

/** Makes what the server drew live. */
function hydrate(): void {
  const router = createBrowserRouter(routes, {
    hydrationData: hydrationData(state, id),
    getContext: () => context,
  });

  // A transition is done in slices: a reader's first touch does not wait for all of it.
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <SiteProvider value={{ origin: state.origin, api, actions: api }}>
          <FormResultProvider value={state.formResult ?? NO_FORM_RESULT}>
            <RouterProvider router={router} />
          </FormResultProvider>
        </SiteProvider>
      </StrictMode>,
    );
  });

  interceptLinks(document, router, routes);
  countPageViews(router, api);
  prefetch(document, routes, context);
  import('./layout/search-shortcuts.ts').then(
    ({ addSearchShortcuts }) => addSearchShortcuts(document),
    () => undefined,
  );
  if (path && Math.random() < WEB_VITALS_SAMPLE)
    import('./analytics/web-vitals.ts').then(
      ({ measureWebVitals }) => measureWebVitals(path),
      () => undefined,
    );
}

// The code of the page is there before hydration, so that nothing the server drew is taken away again. Where it cannot
// be had, the document stays as it is: complete, and its links lead to new documents.
Promise.all(matched.map(({ route }) => loadCode(route))).then(hydrate, (error) => console.error(error));
