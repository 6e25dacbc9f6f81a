import '#client/styles/site.css';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterContextProvider, RouterProvider } from 'react-router';
import { countPageViews } from '#client/analytics/page-views.ts';
import { createHttpSiteApi } from '#client/api/http-site-api.ts';
import { siteApiContext } from '#client/api/page-loader.ts';
import { SiteProvider } from '#client/layout/site-context.tsx';
import { readState, toHydrationState } from '#client/routing/hydration-data.ts';
import { interceptLinks } from '#client/routing/intercept-links.ts';
import { prefetch } from '#client/routing/prefetch.ts';
import { defaultSite, type SiteSettings } from '#shared/site.ts';
import { WEB_VITALS_SAMPLE } from '#shared/site-api.ts';
import { createRoutes, loadRoute, pages } from './routes.tsx';

const state = readState(document);
const api = createHttpSiteApi();
const context = new RouterContextProvider(new Map([[siteApiContext, api]]));

// A form post without JavaScript returns the page at the form's action: show the page's own address again.
const [postedPage] = Object.keys(state.actionData ?? {});
if (postedPage) window.history.replaceState(null, '', pages.find(({ name }) => name === postedPage)?.path);

// Without a key the router calls the entry of each document `default`, and would scroll one to where another was left.
if (!window.history.state?.key)
  window.history.replaceState({ ...window.history.state, key: `${performance.timeOrigin}` }, '');

// WebKit brings a document back from its back-forward cache at the top where `scrollRestoration` was `manual`.
let left = 0;
addEventListener('pagehide', () => {
  left = window.scrollY;
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.scrollTo({ top: left, behavior: 'instant' });
});

/** Hydrates the document that the server rendered, and adds what the browser does besides. */
async function hydrate(settings: SiteSettings): Promise<void> {
  const site = { origin: state.origin, api, settings };
  const routes = createRoutes(settings.pages);
  const matched = matchRoutes(routes, window.location) ?? [];
  const { id = '', path } = matched.at(-1)?.route ?? {};
  // Hydrating before the page's chunk has loaded would replace the rendered page by nothing. If the chunk fails to load,
  // the document stays as the server rendered it, and its links load documents.
  await Promise.all(matched.map(({ route }) => loadRoute(route)));
  const router = createBrowserRouter(routes, {
    hydrationData: toHydrationState(state, id),
    getContext: () => context,
  });

  // React yields to input during a transition, so that the first interaction does not wait for the whole hydration.
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <SiteProvider value={site}>
          <RouterProvider router={router} />
        </SiteProvider>
      </StrictMode>,
    );
  });

  // Chromium would add what is left of a smooth scroll to the place of the next page.
  router.subscribe(({ navigation }) => {
    if (navigation.state === 'loading') window.scrollTo({ top: window.scrollY, behavior: 'instant' });
  });
  interceptLinks(document, router, routes);
  countPageViews(router, api.countView);
  prefetch(document, routes, api.prefetchReads);
  if (settings.tags) void import(/* @vite-ignore */ settings.tags);
  if (path && Math.random() < WEB_VITALS_SAMPLE)
    // Safari has no `requestIdleCallback`.
    (window.requestIdleCallback ?? setTimeout)(() =>
      import('#client/analytics/web-vitals.ts').then(
        ({ measureWebVitals }) => measureWebVitals(path),
        () => undefined,
      ),
    );
}

/** Returns the site's settings: the module is one of the scripts that `load-scripts.ts` has loaded before. */
async function loadSettings(): Promise<SiteSettings> {
  return state.site ? (await import(/* @vite-ignore */ state.site)).default : defaultSite;
}

loadSettings()
  .then(hydrate)
  .catch((error) => {
    console.error(error);
    // For `load-scripts.ts`.
    dispatchEvent(new Event('hydration-failed'));
  });
