import type { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { BadRequest } from '#server/errors.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import type { RenderBundle } from '#server/render/render-response.ts';
import { feedKey, type ResponseCache, UNKNOWN_PAGE } from '#server/render/response-cache/response-cache.ts';
import type { ExplainResponse } from '#shared/models/ops/ops-schemas.ts';
import { RESOURCES } from '#shared/models/resources-and-policies.ts';
import { API_PREFIX } from '#shared/site-api.ts';

export interface ExplainDeps {
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  bundle: () => Promise<Pick<RenderBundle, 'canonicalUrl'>>;
  /** PUBLIC_ORIGIN: an operator pastes absolute URLs. */
  origin: string;
}

/**
 * Returns the state of a page, an API call or a feed in the response cache, and its dependencies; of a key of the content
 * cache that alone. Rejects with a `BadRequest` for a URL of another origin.
 */
export async function explainPage(
  address: string,
  deps: ExplainDeps,
): Promise<z.infer<typeof ExplainResponse>> {
  const resource = RESOURCES.find((name) => address.startsWith(`${name}/`));
  if (resource) {
    const dependencies = [deps.cache.explain(address, resource)];
    return { ...UNKNOWN_PAGE, url: address, page: 'data', dependencies };
  }
  const { url, page, key } = await find(targetOf(address, deps.origin), deps);
  const known = deps.responses.explain(key);
  const keys = new Map(known.dependencies.map(({ key, resource }) => [key, resource]));
  const dependencies = [...keys].map(([key, resource]) => deps.cache.explain(key, resource));
  // A frozen cache serves values of any age, and no page of one that was purged.
  const notServed = ['missing', 'absent', ...(deps.cache.mode.name() === 'freeze' ? [] : ['expired'])];
  const isExpired = known.cached && dependencies.some(({ state }) => notServed.includes(state));
  return { ...known, ...(isExpired && { state: 'expired' as const }), url, page, dependencies };
}

/** Returns the canonical form of a request target, its page, `api` or `feed`, and its key in the response cache. */
async function find(target: string, { responses, bundle }: ExplainDeps) {
  const key = keyForPrograms(target, responses);
  if (key !== null) return { url: target, page: target.startsWith(API_PREFIX) ? 'api' : 'feed', key };
  const { canonicalUrl } = await bundle();
  const { url, page } = canonicalUrl(target);
  return { url, page, key: url };
}

/** Returns the key of an API call's or a feed's response, of which something is known once it was requested; null for none. */
export function keyForPrograms(target: string, responses: ExplainDeps['responses']): string | null {
  const key = target.startsWith(API_PREFIX) ? target : feedKey(target);
  const { cached, lastResponse } = responses.explain(key);
  return cached || lastResponse !== null ? key : null;
}

/** Returns path and query of a path or an absolute URL of this site. Throws a `BadRequest` for any other. */
function targetOf(address: string, origin: string): string {
  const parsed = /^\/|^https?:/i.test(address) ? URL.parse(address, origin) : null;
  if (parsed?.origin !== new URL(origin).origin)
    throw new BadRequest('The request is not valid.', { url: `A path, a URL of ${origin}, or a key.` });
  return parsed.pathname + parsed.search;
}
