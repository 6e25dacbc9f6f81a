import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type CacheName, cacheStatus, serverTiming } from '#server/cache/cache-status.ts';
import { problem } from '#server/errors.ts';
import { embeddableHeaders, isFeed } from '#server/http/security-headers.ts';
import type { CachedResponse, Variant } from './cached-response.ts';
import { chooseEncoding, matchesEtag } from './content-encoding.ts';
import type { Served } from './response-cache.ts';

/** Readers' browsers keep a page but ask each time: a 304 costs little, counts a view, and is never out of date. */
const REVALIDATE = 'public, max-age=0, must-revalidate';

/** When a page whose data could not be had is worth asking for again, in seconds. */
const RETRY_AFTER = '5';

/** Where pages say that browsers find what to fetch ahead. */
export const SPECULATION_RULES = '/speculation-rules.json';

const NOT_ACCEPTABLE = Buffer.from(
  JSON.stringify(
    problem(406, 'This is available as br, gzip and identity, all of which Accept-Encoding excludes.'),
  ),
);

/** What of a request matters to the answer that is sent. */
export interface Asked {
  id: string;
  headers: IncomingHttpHeaders;
}

export type SendResponse = ReturnType<typeof createSendResponse>;

/**
 * Sends prepared bytes: 200, 304, the status an answer carries, or 406 where `Accept-Encoding` excludes every coding. `common`: the headers of every answer, in lower
 * case. All headers of a variant are put together once; a warm request adds three and writes, past Fastify's own
 * serialising, which costs a third of the throughput: a route hijacks its reply before.
 */
export function createSendResponse(common: Readonly<Record<string, string>>) {
  const shared = Object.entries(common).flat();
  const embeddable = Object.entries(embeddableHeaders(common)).flat();
  const notAcceptable = [
    ...shared,
    'vary',
    'Accept-Encoding',
    'cache-control',
    'no-store',
    'content-type',
    'application/problem+json; charset=utf-8',
    'content-length',
    String(NOT_ACCEPTABLE.length),
  ];
  const prepared = new WeakMap<Variant, { whole: string[]; unmodified: string[] }>();

  function headersOf(response: CachedResponse, variant: Variant) {
    const known = prepared.get(variant);
    if (known) return known;
    const security = isFeed(response.contentType) ? embeddable : shared;
    const unmodified = [...security, 'vary', 'Accept-Encoding', ...validity(response, variant)];
    const encoding = variant.encoding === 'identity' ? [] : ['content-encoding', variant.encoding];
    const whole = [
      ...unmodified,
      'content-type',
      response.contentType,
      'content-length',
      String(variant.body.length),
      ...encoding,
    ];
    if (response.contentType.startsWith('text/html'))
      whole.push('speculation-rules', `"${SPECULATION_RULES}"`);
    const headers = { whole, unmodified };
    prepared.set(variant, headers);
    return headers;
  }

  return function sendResponse<Extra>(
    raw: ServerResponse,
    { id, headers }: Asked,
    { response, outcome }: Served<Extra> & { kind: 'response' },
    cacheName: CacheName,
  ): void {
    const encoding = chooseEncoding(headers['accept-encoding']);
    if (encoding === null && response.status === 200) {
      raw.writeHead(406, notAcceptable.concat('x-request-id', id)).end(NOT_ACCEPTABLE);
      return;
    }
    // An error is told even to a client that excludes every coding of it.
    const variant = response.variants[encoding ?? 'identity'];
    const { whole, unmodified } = headersOf(response, variant);
    const own = [
      'cache-status',
      cacheStatus(cacheName, outcome),
      'server-timing',
      serverTiming(cacheName, outcome),
      'x-request-id',
      id,
    ];
    if (response.status === 200 && matchesEtag(headers['if-none-match'], variant.etag)) {
      raw.writeHead(304, unmodified.concat(own)).end();
    } else {
      raw.writeHead(response.status, whole.concat(own)).end(variant.body);
    }
  };
}

function validity({ status }: CachedResponse, { etag }: Variant): string[] {
  if (status === 503) return ['cache-control', 'no-store', 'retry-after', RETRY_AFTER];
  return ['cache-control', REVALIDATE, 'etag', etag];
}
