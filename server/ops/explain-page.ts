import type { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { ExplainedEntry } from '#server/cache/explain-entry.ts';
import { BadRequest } from '#server/errors.ts';
import type { CachedRoutes } from '#server/http/cached-routes.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import type { RenderBundle } from '#server/render/renderer.ts';
import {
  type ExplainedPage,
  feedKey,
  type ResponseCache,
} from '#server/render/response-cache/response-cache.ts';
import type { ExplainedDependency, ExplainResponse } from '#shared/models/ops/ops-schemas.ts';

export interface ExplainDeps {
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  /** The routes whose responses are cached besides the pages. */
  cachedRoutes: Pick<CachedRoutes, 'find'>;
  canonicalUrl: RenderBundle['canonicalUrl'];
  /** PUBLIC_ORIGIN: an operator pastes absolute URLs. */
  origin: string;
}

const MAX_FAILING = 20;

/** The page of every path without one. */
const NOT_FOUND = '/404';

const WITHOUT_PAGE = 'There is no page at this path, so that it gets the not-found page. ';
const UNCACHED = 'What is at this path is not kept in the response cache.';

/**
 * Returns the state of a page, an API call or a feed in the response cache, its dependencies, and why. Throws a
 * `BadRequest` for a URL of another origin.
 */
export function explainPage(address: string, deps: ExplainDeps): z.infer<typeof ExplainResponse> {
  const { cache } = deps;
  const { url, page, known, about } = find(targetOf(address, deps.origin), deps);
  const keys = new Map(dependenciesOf(known).map(({ key, resource }) => [key, resource]));
  const dependencies = [...keys].map(([key, resource]) => withReason(cache.explain(key, resource)));
  return {
    url,
    page,
    cached: known.cached,
    why: page === 'uncached' ? UNCACHED : about + reasonOfPage(known, dependencies),
    state: known.cached ? known.state : null,
    freshSeconds: known.cached ? known.freshSeconds : null,
    complete: known.cached ? known.complete : (known.last?.complete ?? null),
    bytes: known.cached ? known.bytes : 0,
    lastResponse: known.cached ? null : lastResponseOf(known.last),
    dependencies,
    failing: cache.failing(MAX_FAILING).map(withReason),
  };
}

/** Finds what the response cache knows of a request target. `about`: what to say before, where it is another URL. */
function find(target: string, { responses, cachedRoutes, canonicalUrl }: ExplainDeps) {
  const routed = cachedRoutes.find(target);
  const found = canonicalUrl(target);
  const page = { ...found, known: responses.explain(found.url), about: '' };
  if (routed === null) return isWithoutPage(target, found) ? { ...page, about: WITHOUT_PAGE } : page;
  const { kind, target: url } = routed;
  const known = responses.explain(kind === 'feed' ? feedKey(url) : url);
  // An article's slug may end like a feed. Where there is no such feed, the page was sent.
  if (kind === 'feed' && !isKnown(known) && found.url !== NOT_FOUND && isKnown(page.known)) return page;
  return { url, page: kind, known, about: '' };
}

/** Whether a path has no page, and gets the not-found page. */
export function isWithoutPage(path: string, { url }: { url: string }): boolean {
  return url === NOT_FOUND && path !== NOT_FOUND;
}

function isKnown(page: ExplainedPage): boolean {
  return page.cached || page.last !== null;
}

/** Returns what a page is built from, or was when it was last rendered. */
export function dependenciesOf(page: ExplainedPage) {
  return page.cached ? page.dependencies : (page.last?.dependencies ?? []);
}

/** Returns path and query of a path or an absolute URL of this site. Throws a `BadRequest` for any other. */
export function targetOf(address: string, origin: string): string {
  if (address.startsWith('/') && !address.startsWith('//')) return address;
  const parsed = URL.parse(address);
  if (parsed?.origin !== new URL(origin).origin)
    throw new BadRequest('The request is not valid.', { url: `A path, or a URL of ${origin}.` });
  return parsed.pathname + parsed.search;
}

function lastResponseOf(last: (ExplainedPage & { cached: false })['last']) {
  return last && { status: last.status, location: last.location, secondsAgo: last.secondsAgo };
}

function reasonOfPage(page: ExplainedPage, dependencies: readonly ExplainedDependency[]): string {
  if (!page.cached) {
    if (!page.last) return 'Not requested since the start, or evicted or purged since.';
    const what = page.last.status === 302 ? `a redirect to ${page.last.location}` : `a ${page.last.status}`;
    return `Its last response was ${what}: only complete pages and the not-found page are cached.`;
  }
  if (!page.complete)
    return 'An optional section could not be loaded, so that it is rendered again within seconds.';
  if (page.state === 'fresh') return `All of its data is fresh, the first of it for ${page.freshSeconds} s.`;
  const stale = dependencies.filter(({ state }) => state !== 'fresh').map(({ key }) => key);
  return stale.length > 0
    ? `Past its TTL: ${stale.join(', ')}.`
    : 'Its data has changed: the next request renders it again.';
}

function withReason(entry: ExplainedEntry): ExplainedDependency {
  return { ...entry, why: reasonOf(entry) };
}

function reasonOf({ state, nextRefreshSeconds, lastError, loading }: ExplainedEntry): string {
  const failed = lastError
    ? ` Its last load failed ${lastError.secondsAgo} s ago: ${lastError.message}.`
    : '';
  const refresh = loading ? 'a refresh runs' : 'the next read starts a refresh';
  const reasons: Record<ExplainedEntry['state'], string> = {
    fresh: `Fresh for ${nextRefreshSeconds} s more.`,
    stale: `Past its TTL or softly purged: served stale while ${refresh}.`,
    'stale-if-error':
      'Past TTL and SWR: a read waits briefly for a load; this is served if the load is slow or fails.',
    expired: 'Past TTL, SWR and SIE: no longer served.',
    absent: 'The upstream said a moment ago that it does not exist.',
    missing: 'Not cached: never loaded, evicted or purged.',
  };
  return reasons[state] + failed;
}
