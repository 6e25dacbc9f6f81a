import {
  createStaticHandler,
  createStaticRouter,
  type DataStrategyResult,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router';
import { siteApiContext, submissionApiContext } from '#client/api/page-loader.ts';
import { SiteProvider } from '#client/layout/site-context.tsx';
import { DocumentRequest } from '#client/routing/document-request.ts';
import type { FormResult } from '#client/routing/form-action.ts';
import { type HydrationData, writeState } from '#client/routing/hydration-data.ts';
import { structuredData } from '#client/seo/structured-data.ts';
import type { ArticlePage } from '#shared/models/article.ts';
import { defaultSite, type SiteSettings } from '#shared/site.ts';
import type { SiteApi, SubmissionApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { createRoutes, pageNameOf } from './routes.tsx';

export { canonicalUrl } from '#client/routing/canonical-url.ts';
export { pages } from './routes.tsx';

/**
 * Result of loading a page: its data, a redirect, or `not-found`, whose response is that of `/404`. `submitted`: its form
 * was accepted.
 */
export type LoadedPage =
  | {
      kind: 'page';
      status: 200 | 404 | 503;
      /** Status of the response to the form post that was not accepted; null where there was none. */
      actionStatus: number | null;
      renderInput: RenderInput;
      /** Id of the post whose view a request for this page counts; null unless it is an article. */
      viewOf: string | null;
    }
  | { kind: 'redirect'; location: string; status: 301 | 302 }
  | { kind: 'not-found' }
  | { kind: 'submitted' };

/** What a site folder decides of documents. Plain data. */
export interface SiteOfDocuments {
  settings: SiteSettings;
  /** Path of the module with the settings, for hydration; null where they are the default ones. */
  module: string | null;
  /** In place of the build's tags for the head. */
  head: string;
}

/** Input of `renderPage`. Plain data, because it is posted to a render worker. */
interface RenderInput extends Omit<HydrationData, 'site'> {
  /** Path and query, canonical. */
  url: string;
  /** Absent without a site folder. */
  site?: SiteOfDocuments;
}

/** Input of `loadPage`. It holds no request, so that no header can decide a page's bytes. */
interface PageInput {
  /** Path and query, canonical. */
  url: string;
  origin: string;
  api: SiteApi;
  site?: SiteOfDocuments;
  /** A form post without JavaScript: the page's action runs first. The result is never cached. */
  submission?: { fields: Record<string, string>; api: SubmissionApi };
}

/** Scripts of a page. */
export interface PageScripts {
  /** Paths of what `load-scripts.ts` loads, the entry first; empty in development. */
  files: readonly string[];
  /** Tags for the end of the body. */
  tags: string;
}

/** What the build adds to documents: `head`: tags for styles, `scripts`: by page name. */
export interface PageAssets {
  head: string;
  scripts: Readonly<Record<string, PageScripts>>;
}

const standard = createStaticHandler(createRoutes([]));
let last = { module: '', handler: standard };

/** Returns the router of a site. Sites change rarely, so the last one is kept. */
function handlerOf(site: SiteOfDocuments | undefined): typeof standard {
  if (!site?.module) return standard;
  if (last.module !== site.module)
    last = { module: site.module, handler: createStaticHandler(createRoutes(site.settings.pages)) };
  return last.handler;
}

/**
 * React's preloads of images with high priority. Chromium prefers a width that another page has brought to the one that
 * was preloaded, and warns that this is not used; the preload scanner finds the image as early (decision 0035).
 */
const IMAGE_PRELOADS = /<link rel="preload" as="image"[^>]*>/g;

/** Runs the action of a form post, then the loaders of the page. A `SiteError` becomes the page's status; others are thrown. */
export async function loadPage({ url, origin, api, site, submission }: PageInput): Promise<LoadedPage> {
  const requestContext = new RouterContextProvider();
  requestContext.set(siteApiContext, { readsUntil: () => api });
  if (submission) requestContext.set(submissionApiContext, submission.api);
  const address = new URL(url, origin);
  const request = submission
    ? new Request(address, { method: 'POST', body: new URLSearchParams(submission.fields) })
    : new DocumentRequest(address);
  const context = await handlerOf(site).query(request, { requestContext });
  if (isResponse(context)) return redirectOf(context);
  const failure = failureOf(context);
  const page = context.matches.at(-1)?.route.id;
  if (failure?.kind === 'not-found' && page !== 'not-found') return { kind: 'not-found' };
  const result: FormResult | undefined = page && context.actionData?.[page];
  if (result?.outcome.kind === 'accepted') return { kind: 'submitted' };
  const article: ArticlePage | undefined = failure ? undefined : context.loaderData['article'];
  return {
    kind: 'page',
    status: failure?.status ?? 200,
    actionStatus: result ? context.statusCode : null,
    renderInput: {
      url,
      origin,
      ...(site && { site }),
      loaderData: context.loaderData,
      error: failure && { kind: failure.kind, message: failure.message },
      ...(context.actionData && { actionData: context.actionData }),
    },
    viewOf: article?.article.id ?? null,
  };
}

/** Renders the whole document of a loaded page. Blocks the event loop for milliseconds. */
export async function renderPage({ url, site, ...data }: RenderInput, assets: PageAssets): Promise<string> {
  const state: HydrationData = { ...data, ...(site?.module && { site: site.module }) };
  const { origin, actionData = null } = state;
  const settings = site?.settings ?? defaultSite;
  const handler = handlerOf(site);
  // A router in memory, hydrated as in the browser, would take 15 % longer.
  const loaded = await handler.query(new DocumentRequest(new URL(url, origin)), {
    dataStrategy: async ({ matches }) => loadedResults(state, matches),
  });
  if (isResponse(loaded)) throw new Error(`${url} was loaded as a page and redirects while it is rendered`);
  const { renderToString } = await import('react-dom/server');
  const context = { ...loaded, actionData };
  const markup = renderToString(
    <SiteProvider value={{ origin, api: null, settings }}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </SiteProvider>,
  );
  const { files = [], tags = '' } = assets.scripts[pageNameOf(context.matches.at(-1)?.route.id ?? '')] ?? {};
  const allFiles = JSON.stringify([...files, ...(site?.module ? [site.module] : [])]);
  // `load-scripts.ts` reads it.
  const list = files.length > 0 ? `<script type="application/json" id="scripts">${allFiles}</script>` : '';
  return `<!DOCTYPE html>${markup}`
    .replace(IMAGE_PRELOADS, '')
    .replace(
      '</head>',
      () => `${site?.head ?? assets.head}${structuredData(context, origin, settings)}</head>`,
    )
    .replace(
      /<\/body><\/html>$/,
      () =>
        `<script type="application/json" id="state">${writeState(state)}</script>${list}${tags}</body></html>`,
    );
}

/** Returns the loaders' results as a data strategy, so that the router does not run them again. */
function loadedResults(
  { loaderData, error }: HydrationData,
  matches: readonly { route: { id: string } }[],
): Record<string, DataStrategyResult> {
  const results: Record<string, DataStrategyResult> = {};
  for (const [id, result] of Object.entries(loaderData ?? {})) results[id] = { type: 'data', result };
  const page = matches.at(-1)?.route.id;
  if (error && page !== undefined)
    results[page] = { type: 'error', result: new SiteError(error.kind, error.message) };
  return results;
}

/** Not by `instanceof`: the name `Response` alone loads the code of `fetch`. */
function isResponse(result: StaticHandlerContext | Response): result is Response {
  return 'status' in result;
}

function redirectOf(response: Response): LoadedPage {
  const location = response.headers.get('location');
  if (!location) throw new Error(`a loader returned status ${response.status} without a location`);
  return { kind: 'redirect', location, status: response.status === 301 ? 301 : 302 };
}

function failureOf({ errors }: StaticHandlerContext): SiteError | null {
  if (!errors) return null;
  const [error] = Object.values(errors);
  if (!(error instanceof SiteError)) throw error;
  return error;
}
