import type { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { BadRequest } from '#server/errors.ts';
import type { RouteTable } from '#server/http/route-table.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import type { RenderBundle } from '#server/render/renderer.ts';
import {
  type ExplainedPage,
  feedKey,
  type ResponseCache,
  UNKNOWN_PAGE,
} from '#server/render/response-cache/response-cache.ts';
import type { ExplainResponse } from '#shared/models/ops/ops-schemas.ts';
import { RESOURCES } from '#shared/models/resources.ts';

export interface ExplainDeps {
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  /** The routes whose responses are cached besides the pages. */
  routeTable: Pick<RouteTable, 'find'>;
  canonicalUrl: RenderBundle['canonicalUrl'];
  /** PUBLIC_ORIGIN: an operator pastes absolute URLs. */
  origin: string;
}

/** The page of every path without one. */
const NOT_FOUND = '/404';

/**
 * Returns the state of a page, an API call or a feed in the response cache, and its dependencies; of a key of the content
 * cache that alone. Throws a `BadRequest` for a URL of another origin.
 */
export function explainPage(address: string, deps: ExplainDeps): z.infer<typeof ExplainResponse> {
  const resource = RESOURCES.find((name) => address.startsWith(`${name}/`));
  if (resource) {
    const dependencies = [deps.cache.explain(address, resource)];
    return { ...UNKNOWN_PAGE, url: address, page: 'data', dependencies };
  }
  const { url, page, known } = find(targetOf(address, deps.origin), deps);
  const keys = new Map(known.dependencies.map(({ key, resource }) => [key, resource]));
  const dependencies = [...keys].map(([key, resource]) => deps.cache.explain(key, resource));
  return { ...known, url, page, dependencies };
}

/** Finds what the response cache knows of a request target. */
function find(target: string, { responses, routeTable, canonicalUrl }: ExplainDeps) {
  const routed = routeTable.find(target);
  const found = canonicalUrl(target);
  const page = { ...found, known: responses.explain(found.url) };
  if (routed === null) return page;
  const { kind, target: url } = routed;
  const known = responses.explain(kind === 'feed' ? feedKey(url) : url);
  // An article's slug may end like a feed. Where there is no such feed, the page was sent.
  if (kind === 'feed' && !isKnown(known) && found.url !== NOT_FOUND && isKnown(page.known)) return page;
  return { url, page: kind, known };
}

/** Whether a path has no page, and gets the not-found page. */
export function isWithoutPage(path: string, { url }: { url: string }): boolean {
  return url === NOT_FOUND && path !== NOT_FOUND;
}

function isKnown({ cached, lastResponse }: ExplainedPage): boolean {
  return cached || lastResponse !== null;
}

/** Returns path and query of a path or an absolute URL of this site. Throws a `BadRequest` for any other. */
export function targetOf(address: string, origin: string): string {
  const parsed = /^\/|^https?:/i.test(address) ? URL.parse(address, origin) : null;
  if (parsed?.origin !== new URL(origin).origin)
    throw new BadRequest('The request is not valid.', { url: `A path, a URL of ${origin}, or a key.` });
  return parsed.pathname + parsed.search;
}
