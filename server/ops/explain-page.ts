import type { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { ExplainedEntry } from '#server/cache/explain-entry.ts';
import { BadRequest } from '#server/errors.ts';
import type { ResponseExtra } from '#server/render/pages.ts';
import type { RenderBundle } from '#server/render/renderer.ts';
import type { ExplainedPage, ResponseCache } from '#server/render/response-cache.ts';
import type { ExplainedPart, ExplainResponse } from './ops-schemas.ts';

export interface ExplainDeps {
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  canonicalUrl: RenderBundle['canonicalUrl'];
  /** PUBLIC_ORIGIN: an operator pastes whole addresses. */
  origin: string;
}

const FAILING = 20;

/** What a page's address is made of and why it stands as it does. Throws a `BadRequest` for an address of elsewhere. */
export function explainPage(address: string, deps: ExplainDeps): z.infer<typeof ExplainResponse> {
  const { cache, responses, canonicalUrl, origin } = deps;
  const { url, page } = canonicalUrl(targetOf(address, origin));
  const known = responses.explain(url);
  const dependencies = known.cached ? known.dependencies : (known.last?.dependencies ?? []);
  const keys = new Map(dependencies.map(({ key, resource }) => [key, resource]));
  const parts = [...keys].map(([key, resource]) => withReason(cache.explain(key, resource)));
  return {
    url,
    page,
    cached: known.cached,
    why: reasonOfPage(known, parts),
    state: known.cached ? known.state : null,
    freshSeconds: known.cached ? known.freshSeconds : null,
    complete: known.cached ? known.complete : (known.last?.complete ?? null),
    bytes: known.cached ? known.bytes : 0,
    lastResponse: known.cached ? null : lastResponseOf(known.last),
    parts,
    failing: cache.failing(FAILING).map(withReason),
  };
}

/** Path and query of an address of this site, whole or not. */
export function targetOf(address: string, origin: string): string {
  if (address.startsWith('/') && !address.startsWith('//')) return address;
  const parsed = URL.parse(address);
  if (parsed?.origin !== new URL(origin).origin)
    throw new BadRequest('The request is not valid.', { url: `A path, or an address of ${origin}.` });
  return parsed.pathname + parsed.search;
}

function lastResponseOf(last: (ExplainedPage & { cached: false })['last']) {
  return last && { status: last.status, location: last.location, secondsAgo: last.secondsAgo };
}

function reasonOfPage(page: ExplainedPage, parts: readonly ExplainedPart[]): string {
  if (!page.cached) {
    if (!page.last) return 'Nobody has asked for it since the start, or it was evicted or purged since.';
    const what = page.last.status === 302 ? `a redirect to ${page.last.location}` : `a ${page.last.status}`;
    return `Its last answer was ${what}: only whole pages and the one not-found page are kept.`;
  }
  if (!page.complete) return 'A block of it could not be had, so that it is made again within seconds.';
  if (page.state === 'fresh') return `All of its data is fresh, the first of it for ${page.freshSeconds} s.`;
  const due = parts.filter(({ state }) => state !== 'fresh').map(({ key }) => key);
  return due.length > 0
    ? `Past its ttl: ${due.join(', ')}.`
    : 'Its data has changed: its next reader has it made anew.';
}

function withReason(response: ExplainedEntry): ExplainedPart {
  return { ...response, why: reasonOf(response) };
}

function reasonOf({ state, nextRefreshSeconds, lastError, loading }: ExplainedEntry): string {
  const failed = lastError
    ? ` Its last load failed ${lastError.secondsAgo} s ago: ${lastError.message}.`
    : '';
  const asked = loading ? 'it is being asked for now' : 'its next reader has it asked for';
  const reasons: Record<ExplainedEntry['state'], string> = {
    fresh: `Fresh for ${nextRefreshSeconds} s more.`,
    stale: `Past its ttl or softly purged: it is served while ${asked}.`,
    'stale-if-error': `Past ttl and swr: readers wait a moment for a new one; it is served while that fails.`,
    expired: 'Past ttl, swr and sie: it is not served any more.',
    absent: 'The upstream said a moment ago that it does not exist.',
    missing: 'There is no copy: never loaded, evicted or purged.',
  };
  return reasons[state] + failed;
}
