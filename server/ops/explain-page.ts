import type { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { ExplainedEntry } from '#server/cache/explain-entry.ts';
import { BadRequest } from '#server/errors.ts';
import type { ResponseExtra } from '#server/render/pages.ts';
import type { RenderBundle } from '#server/render/renderer.ts';
import {
  type ExplainedPage,
  feedKey,
  type ResponseCache,
} from '#server/render/response-cache/response-cache.ts';
import { splitTarget } from '#shared/canonical-path.ts';
import type { ExplainedDependency, ExplainResponse } from '#shared/models/ops/ops-schemas.ts';

export interface ExplainDeps {
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  canonicalUrl: RenderBundle['canonicalUrl'];
  /** PUBLIC_ORIGIN: an operator pastes absolute URLs. */
  origin: string;
}

const MAX_FAILING = 20;

/**
 * Returns the state of a page, an API call or a feed in the response cache, its dependencies, and why. Throws a
 * `BadRequest` for a URL of another origin.
 */
export function explainPage(address: string, deps: ExplainDeps): z.infer<typeof ExplainResponse> {
  const { cache } = deps;
  const { url, page, known } = find(targetOf(address, deps.origin), deps);
  const keys = new Map(dependenciesOf(known).map(({ key, resource }) => [key, resource]));
  const dependencies = [...keys].map(([key, resource]) => withReason(cache.explain(key, resource)));
  return {
    url,
    page,
    cached: known.cached,
    why: reasonOfPage(known, dependencies),
    state: known.cached ? known.state : null,
    freshSeconds: known.cached ? known.freshSeconds : null,
    complete: known.cached ? known.complete : (known.last?.complete ?? null),
    bytes: known.cached ? known.bytes : 0,
    lastResponse: known.cached ? null : lastResponseOf(known.last),
    dependencies,
    failing: cache.failing(MAX_FAILING).map(withReason),
  };
}

/** Finds what the response cache knows of a request target. An unknown target is that of the not-found page. */
function find(target: string, { responses, canonicalUrl }: ExplainDeps) {
  if (target.startsWith('/api/')) return { url: target, page: 'api', known: responses.explain(target) };
  const [path] = splitTarget(target);
  const feed = responses.explain(feedKey(path));
  if (feed.cached || feed.last) return { url: path, page: 'feed', known: feed };
  const { url, page } = canonicalUrl(target);
  return { url, page, known: responses.explain(url) };
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
