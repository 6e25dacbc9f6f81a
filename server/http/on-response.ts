import type { FastifyInstance } from 'fastify';

/** A request whose answer has gone out. */
export interface Answered {
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

export type OnAnswered = (answered: Answered) => void;

/** Tells of every answer that Fastify sends. */
export function observeAnswers(app: FastifyInstance, onAnswered: OnAnswered): void {
  app.addHook('onResponse', (request, reply, done) => {
    onAnswered({
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
