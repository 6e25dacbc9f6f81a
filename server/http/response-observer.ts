import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { CacheResult } from '#server/cache/cache-status.ts';
import { PAGES_ROUTE, type PageTable } from '#server/render/page-table.ts';
import type { Services } from '#server/service-types.ts';
import type { TraceFields } from '#server/tracing/tracing.ts';
import { type Bucket, bucketOf } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Set by routes that serve from the response cache. */
    cacheResult: CacheResult | null;
  }
}

/** Status of a request whose client left before its response was sent: that of nginx, since HTTP has none. */
export const CLIENT_CLOSED_REQUEST = 499;

/** A request whose response has been sent, or whose client has left before. */
export interface CompletedResponse {
  id: string;
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** The template of the page or of the route; undefined where no route took the request. */
  route?: string | undefined;
  status: number;
  /** What its `Cache-Status` says, if it has one. */
  cacheResult?: CacheResult | null;
  /** The rate limit that refused the request (429), if one did. */
  refusedBy?: Bucket | null;
  /** From the request's head to the response's last byte or the client's leaving, in milliseconds. */
  ms: number;
  /** Of its span, where that is sampled. */
  trace?: TraceFields | null;
}

export type OnResponse = (completed: CompletedResponse) => void;

/** Returns the template of the page or of the route that takes a request; undefined where none does. */
export function routeOf(
  { routeOptions: { url }, url: target }: FastifyRequest,
  pageTable: Pick<PageTable, 'templateOf'>,
): string | undefined {
  return url === PAGES_ROUTE ? pageTable.templateOf(target) : url;
}

/** Calls `onResponse`, the access log and the metrics, for every request that Fastify gets. */
export const responseObserver = fp(
  async (
    app: FastifyInstance,
    { onResponse, pageTable, tracing }: Pick<Services, 'onResponse' | 'pageTable' | 'tracing'>,
  ): Promise<void> => {
    app.decorateReply('cacheResult', null);
    app.addHook('onRequest', (request, reply, done) => {
      // Not `onResponse`, which does not come where the client disconnects.
      reply.raw.once('close', () => {
        const status = reply.raw.writableFinished ? reply.statusCode : CLIENT_CLOSED_REQUEST;
        onResponse({
          id: request.id,
          method: request.method,
          target: request.url,
          route: routeOf(request, pageTable),
          status,
          cacheResult: reply.cacheResult,
          refusedBy: status === 429 ? bucketOf(request) : null,
          ms: reply.elapsedTime,
          trace: tracing.spanOf(request.raw)?.fields ?? null,
        });
      });
      done();
    });
  },
  { name: 'response-observer' },
);

/** Returns a generator of request ids: a random prefix per process, so that restarts and instances differ, and a counter. */
export function createRequestId(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
