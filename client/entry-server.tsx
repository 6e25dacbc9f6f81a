import { renderToString } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  type DataStrategyResult,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router';
import type { ArticlePage } from '#shared/models/article.ts';
import type { SiteActions, SiteApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { siteApiContext } from './api/site-api-context.ts';
import { type FormResult, FormResultProvider, NO_FORM_RESULT } from './components/field/form-result.tsx';
import { type HydrationData, writeState } from './hydration-data.ts';
import { SiteProvider } from './layout/site-context.tsx';
import { routes } from './routes.tsx';
import { structuredData } from './seo/structured-data.ts';

export type { FormResult } from './components/field/form-result.tsx';
export { pages } from './routes.tsx';
export { canonicalUrl } from './routing/canonical-url.ts';

/**
 * A page whose data is there, where the reader is sent instead, or that there is no such page: its response is that of
 * `/404`.
 */
export type LoadedPage =
  | {
      kind: 'page';
      status: 200 | 404 | 503;
      renderInput: RenderInput;
      /** The post whose view a reader's request for this page counts, if it is an article's page. */
      viewOf: string | null;
    }
  | { kind: 'redirect'; location: string }
  | { kind: 'not-found' };

/** All that a page is drawn from, as plain data: it may be drawn on another thread than it was loaded on. */
export interface RenderInput extends HydrationData {
  /** Path and query, canonical. */
  url: string;
}

/** What decides a page's bytes: the canonical address, the data, and the build. No request is in it. */
export interface PageInput {
  /** Path and query, canonical. */
  url: string;
  origin: string;
  api: SiteApi;
  /** Only for the answer to a form post without scripts, which is never kept. */
  formResult?: FormResult;
}

/** Tags that the build adds to the head (styles) and to the end of the body (scripts, by the page's name). */
export interface PageAssets {
  head: string;
  scripts: Readonly<Record<string, string>>;
}

const handler = createStaticHandler(routes);

/** Loads a page's data. Throws what a loader threw unless it is a `SiteError`. */
export async function loadPage({ url, origin, api, formResult }: PageInput): Promise<LoadedPage> {
  const requestContext = new RouterContextProvider(new Map([[siteApiContext, api]]));
  const context = await handler.query(new Request(new URL(url, origin)), { requestContext });
  if (context instanceof Response) return redirectOf(context);
  const failure = failureOf(context);
  const page = context.matches.at(-1)?.route.id;
  if (failure?.kind === 'not-found' && page !== 'not-found') return { kind: 'not-found' };
  const article: ArticlePage | undefined = failure ? undefined : context.loaderData['article'];
  return {
    kind: 'page',
    status: failure?.status ?? 200,
    renderInput: {
      url,
      origin,
      loaderData: context.loaderData,
      error: failure && { kind: failure.kind, message: failure.message },
      ...(formResult && { formResult }),
    },
    viewOf: article?.article.id ?? null,
  };
}

/** Draws a loaded page's whole document. This holds the event loop for milliseconds. */
export async function renderPage({ url, ...state }: RenderInput, assets: PageAssets): Promise<string> {
  const { origin, formResult } = state;
  const context = await handler.query(new Request(new URL(url, origin)), {
    dataStrategy: async ({ matches }) => alreadyLoaded(state, matches),
  });
  if (context instanceof Response) throw new Error(`the page of ${url} was loaded and leads elsewhere`);
  const markup = renderToString(
    <SiteProvider value={{ origin, api: noApi, actions: noApi }}>
      <FormResultProvider value={formResult ?? NO_FORM_RESULT}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </FormResultProvider>
    </SiteProvider>,
  );
  const scripts = assets.scripts[context.matches.at(-1)?.route.id ?? ''] ?? '';
  return `<!DOCTYPE html>${markup}`
    .replace('</head>', () => `${assets.head}${structuredData(context, origin)}</head>`)
    .replace(
      /<\/body><\/html>$/,
      () =>
        `<script type="application/json" id="state">${writeState(state)}</script>${scripts}</body></html>`,
    );
}

/** What the loaders of a page answered, for a router that would ask them again. */
function alreadyLoaded(
  { loaderData, error }: HydrationData,
  matches: readonly { route: { id: string } }[],
): Record<string, DataStrategyResult> {
  const results: Record<string, DataStrategyResult> = {};
  for (const { id } of matches.map(({ route }) => route)) {
    if (loaderData && id in loaderData) results[id] = { type: 'data', result: loaderData[id] };
  }
  const page = matches.at(-1)?.route.id;
  if (error && page !== undefined)
    results[page] = { type: 'error', result: new SiteError(error.kind, error.message) };
  return results;
}

function redirectOf(response: Response): LoadedPage {
  const location = response.headers.get('location');
  if (!location) throw new Error(`a loader answered ${response.status} without a location`);
  return { kind: 'redirect', location };
}

function failureOf({ errors }: StaticHandlerContext): SiteError | null {
  if (!errors) return null;
  const [error] = Object.values(errors);
  if (!(error instanceof SiteError)) throw error;
  return error;
}

function notWhileRendering(): Promise<never> {
  return Promise.reject(new Error('nothing is asked for and nothing is sent while a page is drawn'));
}

/** Forms, counters and lists act in the browser. */
const noApi: SiteApi & SiteActions = {
  navigation: notWhileRendering,
  home: notWhileRendering,
  tag: notWhileRendering,
  topic: notWhileRendering,
  article: notWhileRendering,
  events: notWhileRendering,
  event: notWhileRendering,
  search: notWhileRendering,
  sitemap: notWhileRendering,
  countView: notWhileRendering,
  subscribe: notWhileRendering,
  sendContactMessage: notWhileRendering,
  sendOptOut: notWhileRendering,
};
