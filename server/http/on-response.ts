import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { PAGES_ROUTE, type PageTemplates } from '#server/render/page-templates.ts';

/** A request whose response has been sent. */
export interface CompletedResponse {
  id: string;
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** The template of the page or of the route; undefined where no route took the request. */
  route: string | undefined;
  status: number;
  /** Whether the front cache served it. */
  isCacheHit: boolean;
  /** From the request's head to the response's last byte, in milliseconds. */
  ms: number;
}

export type OnResponse = (completed: CompletedResponse) => void;

export interface ResponseObserverOptions {
  onResponse: OnResponse;
  pageTemplates: Pick<PageTemplates, 'templateOf'>;
}

/** Calls `onResponse`, the access log and the metrics, for every response that Fastify sends. */
export const responseObserver = fp(
  async (app: FastifyInstance, { onResponse, pageTemplates }: ResponseObserverOptions): Promise<void> => {
    app.addHook('onResponse', (request, reply, done) => {
      const { url } = request.routeOptions;
      onResponse({
        id: request.id,
        method: request.method,
        target: request.url,
        route: url === PAGES_ROUTE ? pageTemplates.templateOf(request.url) : url,
        status: reply.statusCode,
        isCacheHit: false,
        ms: reply.elapsedTime,
      });
      done();
    });
  },
  { name: 'response-observer' },
);
