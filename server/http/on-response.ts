import type { FastifyInstance } from 'fastify';

/** A request whose answer has gone out. */
export interface CompletedResponse {
  id: string;
  method: string;
  /** Path and query as they were spelled. */
  target: string;
  /** The template of the route that answered; undefined where none did. */
  route: string | undefined;
  status: number;
  /** From the request's head to the answer's last byte, in milliseconds. */
  ms: number;
}

export type OnResponse = (completed: CompletedResponse) => void;

/** Tells of every answer that Fastify sends. */
export function observeResponses(app: FastifyInstance, onResponse: OnResponse): void {
  app.addHook('onResponse', (request, reply, done) => {
    onResponse({
      id: request.id,
      method: request.method,
      target: request.url,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
    });
    done();
  });
}
