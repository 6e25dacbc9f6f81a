import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PAGES_ROUTE, type PageTemplates } from '#server/render/page-templates.ts';
import type { TraceFields, Tracing } from '#server/tracing/tracing.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Set by routes that serve from the response cache. */
    isCacheHit: boolean;
  }
}

/** A request whose response has been sent. */
export interface CompletedResponse {
  id: string;
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** The template of the page or of the route; undefined where no route took the request. */
  route: string | undefined;
  status: number;
  /** Whether it came from the response cache. */
  isCacheHit: boolean;
  /** From the request's head to the response's last byte, in milliseconds. */
  ms: number;
  /** Null where no span of it is sampled. */
  trace: TraceFields | null;
}

export type OnResponse = (completed: CompletedResponse) => void;

export interface ResponseObserverOptions {
  onResponse: OnResponse;
  pageTemplates: Pick<PageTemplates, 'templateOf'>;
  tracing: Pick<Tracing, 'spanOf'>;
}

/** Returns the template of the page or of the route that takes a request; undefined where none does. */
export function routeOf(
  { routeOptions: { url }, url: target }: FastifyRequest,
  pageTemplates: Pick<PageTemplates, 'templateOf'>,
): string | undefined {
  return url === PAGES_ROUTE ? pageTemplates.templateOf(target) : url;
}

/** Calls `onResponse`, the access log and the metrics, for every response that Fastify sends. */
export const responseObserver = fp(
  async (
    app: FastifyInstance,
    { onResponse, pageTemplates, tracing }: ResponseObserverOptions,
  ): Promise<void> => {
    app.decorateReply('isCacheHit', false);
    app.addHook('onResponse', (request, reply, done) => {
      onResponse({
        id: request.id,
        method: request.method,
        target: request.url,
        route: routeOf(request, pageTemplates),
        status: reply.statusCode,
        isCacheHit: reply.isCacheHit,
        ms: reply.elapsedTime,
        trace: tracing.spanOf(request.raw)?.fields ?? null,
      });
      done();
    });
  },
  { name: 'response-observer' },
);
