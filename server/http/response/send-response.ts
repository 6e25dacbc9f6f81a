import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CacheName, cacheStatus } from '#server/cache/cache-status.ts';
import type { CdnHeaders } from '#server/cdn/cdn-headers.ts';
import { PreconditionFailed } from '#server/errors.ts';
import {
  PROBLEM_CONTENT_TYPE,
  type Problem,
  problem,
  problemOf,
  RETRY_AFTER_S,
} from '#server/problem-details.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import type { CachedResponse, Variant } from '#server/render/response-cache/encoded-bodies.ts';
import type { Served } from '#server/render/response-cache/response-cache.ts';
import { chooseEncoding } from './content-negotiation.ts';
import { embeddableHeaders, type Headers, isFeed } from './security-headers.ts';

/** Browsers store a page but revalidate it each time: a 304 costs little, counts a view, and is never out of date. */
const REVALIDATE = 'public, max-age=0, must-revalidate';

/** Path of the speculation rules, by which browsers prefetch documents. */
export const SPECULATION_RULES_PATH = '/speculation-rules.json';

const NOT_ACCEPTABLE = problem(
  406,
  'This is available as br, gzip and identity, all of which Accept-Encoding excludes.',
);
const PRECONDITION_FAILED = problemOf(new PreconditionFailed());

export type SendResponse = ReturnType<typeof createSendResponse>;

/**
 * Returns a function that writes a cached response: its status, 304 (`If-None-Match`), 412 (`If-Match`), or 406 where
 * `Accept-Encoding` excludes every coding. `common`: the headers of every response. The headers of a variant are built
 * once; each request adds its own and those for a CDN (`cdn`). It writes to Node's response, because Fastify's own
 * sending costs a third of the throughput: a route hijacks its reply before.
 */
export function createSendResponse(
  common: () => Headers,
  identityBody: (response: CachedResponse) => Uint8Array,
  cdn: CdnHeaders | null = null,
) {
  const prepared = new WeakMap<Variant, { whole: string[]; unmodified: string[] }>();

  function headersOf(response: CachedResponse, variant: Variant) {
    const known = prepared.get(variant);
    if (known) return known;
    const { contentType } = response;
    const unmodified = {
      ...(isFeed(contentType) ? embeddableHeaders(common()) : common()),
      vary: 'Accept-Encoding',
      ...cacheHeaders(response, variant),
    };
    const whole = {
      ...unmodified,
      'content-type': contentType,
      'content-length': String(variant.length),
      ...(variant.encoding !== 'identity' && { 'content-encoding': variant.encoding }),
      ...(contentType.startsWith('text/html') && { 'speculation-rules': `"${SPECULATION_RULES_PATH}"` }),
    };
    const headers = { whole: Object.entries(whole).flat(), unmodified: Object.entries(unmodified).flat() };
    prepared.set(variant, headers);
    return headers;
  }

  function writeProblem(raw: ServerResponse, refusal: Problem, id: string): void {
    const body = JSON.stringify(refusal);
    const headers = {
      ...common(),
      ...cdn?.noStore,
      'cache-control': 'no-store',
      vary: 'Accept-Encoding',
      'content-type': PROBLEM_CONTENT_TYPE,
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
    };
    raw.writeHead(refusal.status, headers).end(body);
  }

  return function sendResponse(
    raw: ServerResponse,
    { id, headers }: { id: string; headers: IncomingHttpHeaders },
    served: Served<Pick<ResponseExtra, 'page'>> & { kind: 'response' },
    cacheName: CacheName,
  ): void {
    const { response, outcome, dependencies, extra, complete } = served;
    const encoding = chooseEncoding(headers['accept-encoding']);
    if (encoding === null && response.status === 200) return void writeProblem(raw, NOT_ACCEPTABLE, id);
    // An error response is sent even where `Accept-Encoding` excludes every coding.
    const { br, gzip, identity } = response.variants;
    const variant = encoding === 'br' ? br : encoding === 'gzip' ? gzip : identity;
    const precondition = response.status === 200 ? evaluatePreconditions(headers, variant.etag) : null;
    if (precondition === 412) return void writeProblem(raw, PRECONDITION_FAILED, id);
    const { whole, unmodified } = headersOf(response, variant);
    const own = ['cache-status', cacheStatus(cacheName, outcome), 'x-request-id', id];
    if (cdn !== null) {
      const { status } = response;
      own.push(...cdn.of({ status, ttl: outcome.ttl, dependencies, page: extra.page, complete }));
    }
    if (precondition === 304) {
      raw.writeHead(304, unmodified.concat(own)).end();
    } else {
      const body = raw.req.method === 'HEAD' ? null : (variant.body ?? identityBody(response));
      raw.writeHead(response.status, whole.concat(own)).end(body);
    }
  };
}

function cacheHeaders({ status }: CachedResponse, { etag }: Variant): Headers {
  if (status === 503) return { 'cache-control': 'no-store', 'retry-after': RETRY_AFTER_S };
  return { 'cache-control': REVALIDATE, etag };
}

/**
 * Evaluates the preconditions of a GET or HEAD whose response would be 200 (RFC 9110, 13.2): 412 where `If-Match` does not
 * match, 304 where `If-None-Match` does, else null. Dates are ignored: what is sent with this has no modification date.
 */
export function evaluatePreconditions(
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
  etag: string,
): 304 | 412 | null {
  if (ifMatch !== undefined && !matches(ifMatch, etag, false)) return 412;
  return ifNoneMatch !== undefined && matches(ifNoneMatch, etag, true) ? 304 : null;
}

/** Sends bytes or a text with its ETag, by Fastify: 304 or 412 where the request's preconditions say so. */
export function sendWithEtag(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, body, etag }: { type: string; body: Buffer | string; etag: string },
): FastifyReply {
  reply.header('etag', etag);
  const precondition = evaluatePreconditions(headers, etag);
  if (precondition === 412) throw new PreconditionFailed();
  return precondition === 304 ? reply.code(304).send() : reply.type(type).send(body);
}

/** Whether a list of ETags has a strong one: by weak comparison, or by strong comparison (RFC 9110, 8.8.3.2). */
function matches(header: string, etag: string, isWeak: boolean): boolean {
  if (header === etag) return true;
  return header.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || tag === etag || (isWeak && tag === `W/${etag}`);
  });
}
