import { renderToString } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router';
import type { ArticlePage } from '#shared/models/article.ts';
import type { SiteActions, SiteApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { writeState } from './document-state.ts';
import { type FormEcho, FormEchoProvider, NO_ECHO } from './form-echo.tsx';
import { routes } from './routes.tsx';
import { siteApiContext } from './site-api-context.ts';
import { SiteProvider } from './site-context.tsx';
import { structuredData } from './structured-data/structured-data.ts';

export { canonicalUrl } from './canonical-url.ts';
export type { FormEcho } from './form-echo.tsx';
export { pages } from './routes.tsx';

/** A page as the server sends it, or where it sends the reader instead. */
export type RenderedPage =
  | {
      kind: 'page';
      status: 200 | 404 | 503;
      html: string;
      /** The post whose view a reader's request for this page counts, if it is an article's page. */
      viewOf: string | null;
    }
  | { kind: 'redirect'; location: string };

/** What decides a page's bytes: the canonical address, the data, and the build. No request is in it. */
export interface PageInput {
  /** Path and query, canonical. */
  url: string;
  origin: string;
  api: SiteApi;
  /** Tags that the build adds to the head (styles) and to the end of the body (scripts, by the page's name). */
  assets: { head: string; scripts: (page: string) => string };
  /** Only for the answer to a form post without scripts, which is never kept. */
  echo?: FormEcho;
  /** Awaited when the data is there: drawing holds the event loop. */
  turn?: () => Promise<void>;
}

const handler = createStaticHandler(routes);

/** Loads a page's data and renders its whole document. Throws what a loader threw unless it is a `SiteError`. */
export async function renderPage({ url, origin, api, assets, echo, turn }: PageInput): Promise<RenderedPage> {
  const requestContext = new RouterContextProvider(new Map([[siteApiContext, api]]));
  const context = await handler.query(new Request(new URL(url, origin)), { requestContext });
  if (context instanceof Response) return redirectOf(context);
  const failure = failureOf(context);
  await turn?.();
  const markup = renderToString(
    <SiteProvider value={{ origin, api, actions: noActions }}>
      <FormEchoProvider value={echo ?? NO_ECHO}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </FormEchoProvider>
    </SiteProvider>,
  );
  const state = writeState({
    origin,
    loaderData: context.loaderData,
    error: failure?.state ?? null,
    ...(echo && { echo }),
  });
  const scripts = assets.scripts(context.matches.at(-1)?.route.id ?? '');
  const html = `<!DOCTYPE html>${markup}`
    .replace('</head>', () => `${assets.head}${structuredData(context, origin)}</head>`)
    .replace(
      /<\/body><\/html>$/,
      () => `<script type="application/json" id="state">${state}</script>${scripts}</body></html>`,
    );
  const article: ArticlePage | undefined = failure ? undefined : context.loaderData['article'];
  return {
    kind: 'page',
    status: failure?.status ?? pageStatus(context),
    html,
    viewOf: article?.article.id ?? null,
  };
}

/** The not-found page is a page like any other, but its status is 404. */
function pageStatus(context: StaticHandlerContext): 200 | 404 {
  return context.matches.at(-1)?.route.id === 'not-found' ? 404 : 200;
}

function redirectOf(response: Response): RenderedPage {
  const location = response.headers.get('location');
  if (!location) throw new Error(`a loader answered ${response.status} without a location`);
  return { kind: 'redirect', location };
}

function failureOf({ errors }: StaticHandlerContext) {
  const [route, error] = Object.entries(errors ?? {})[0] ?? [];
  if (route === undefined) return null;
  if (!(error instanceof SiteError)) throw error;
  return { status: error.status, state: { route, kind: error.kind, message: error.message } };
}

/** Nothing is sent while a page is rendered: forms and counters act in the browser. */
const noActions: SiteActions = {
  countView: () => Promise.reject(new Error('not in the browser')),
  subscribe: () => Promise.reject(new Error('not in the browser')),
  sendContactMessage: () => Promise.reject(new Error('not in the browser')),
  sendOptOut: () => Promise.reject(new Error('not in the browser')),
};
