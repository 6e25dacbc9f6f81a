import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { CompletedResponse } from './on-response.ts';

/** Statuses of requests that are not served because of what they are: a client can send them without end. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([
  400, 403, 405, 406, 408, 413, 414, 415, 417, 421, 429, 431, 505,
]);
/** Refusals in a row after which a connection ends. */
const MAX_REFUSALS_IN_A_ROW = 10;

/** Whether a request was refused. `OPTIONS *` counts, the only response without a route that is no error. */
export function isRefusal({ status, route }: Pick<CompletedResponse, 'status' | 'route'>): boolean {
  return REFUSAL_STATUSES.has(status) || (status === 204 && route === undefined);
}

/** Ends a connection whose requests are only refused. */
export const closeRefused = fp(
  async (app: FastifyInstance): Promise<void> => {
    const refusals = new WeakMap<Socket, number>();
    app.addHook('onSend', (request, reply, payload, done) => {
      const { socket } = request.raw;
      if (!REFUSAL_STATUSES.has(reply.statusCode)) refusals.delete(socket);
      else {
        const inARow = (refusals.get(socket) ?? 0) + 1;
        refusals.set(socket, inARow);
        if (inARow >= MAX_REFUSALS_IN_A_ROW) reply.header('connection', 'close');
      }
      done(null, payload);
    });
  },
  { name: 'close-refused' },
);
