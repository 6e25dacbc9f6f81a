import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Answers a request, or leaves it to Fastify: false. */
export type AnswerFirst = (...request: Parameters<RequestListener>) => boolean;

/** Has `first` asked about each request before Fastify, until the app closes: then every answer ends its connection. */
export function answerFirst(app: FastifyInstance, first: AnswerFirst): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    if (isClosing || !first(request, response)) app.routing(request, response);
  });
}
