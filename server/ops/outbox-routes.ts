import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseRequest } from '#server/http/route-schemas.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import * as schemas from '#shared/models/ops/ops-schemas.ts';
import { SiteError } from '#shared/site-error.ts';
import type { ChangeLog } from './change-log.ts';
import { documented } from './ops-responses.ts';

export interface OutboxRoutesDeps {
  outbox: Pick<Outbox, 'list' | 'depth' | 'retry' | 'discard'>;
  changeLog: ChangeLog;
}

/** Serves what is pending in the outbox and what was rejected, without anything personal; retries and discards messages. */
export async function outboxRoutes(
  app: FastifyInstance,
  { outbox, changeLog }: OutboxRoutesDeps,
): Promise<void> {
  async function changeMessage(request: FastifyRequest, change: Outbox['retry'], after: string) {
    const { data } = schemas.OutboxMessageParams.safeParse(request.params);
    if (!data || (await change(data)) === 0)
      throw new SiteError('not-found', 'No message has this id, or it is being delivered.');
    changeLog.record(request, { what: `outbox message ${data.id}`, after });
    return data.id;
  }

  app.get(
    '/outbox',
    documented(
      'Pending and rejected messages: how many there are, and of each kind the newest 50 rejected and the oldest 50 pending, of this instance and of all',
      { 200: schemas.OutboxResponse },
    ),
    async () => {
      // Listing counts what is in Redis again.
      const messages = await outbox.list();
      const { rejected, oldestSeconds: oldestMessageAgeSeconds, ...pending } = outbox.depth();
      return { pending, rejected, oldestMessageAgeSeconds, messages };
    },
  );

  app.post(
    '/outbox/:id/retry',
    documented('Retries a message', { 202: schemas.RetryResponse, params: schemas.OutboxMessageParams }),
    async (request, reply) => {
      const id = await changeMessage(request, outbox.retry, 'pending');
      return reply.code(202).send({ id, state: 'pending' });
    },
  );

  app.post(
    '/outbox/retry',
    documented('Retries all rejected messages, or those of one kind', {
      202: schemas.RetriedResponse,
      body: schemas.RejectedMessages.optional(),
    }),
    async (request, reply) => {
      const which = parseRequest(schemas.RejectedMessages, request.body === undefined ? {} : request.body);
      const retried = await outbox.retry(which);
      changeLog.record(request, { what: 'rejected outbox messages', asked: which, after: { retried } });
      return reply.code(202).send({ retried });
    },
  );

  app.delete(
    '/outbox',
    documented('Discards all rejected messages, or those of one kind', {
      200: schemas.DiscardedResponse,
      querystring: schemas.RejectedMessages,
    }),
    async (request) => {
      const which = parseRequest(schemas.RejectedMessages, request.query);
      const discarded = await outbox.discard(which);
      changeLog.record(request, { what: 'rejected outbox messages', asked: which, after: { discarded } });
      return { discarded };
    },
  );

  app.delete(
    '/outbox/:id',
    documented('Discards a message', { params: schemas.OutboxMessageParams }),
    async (request, reply) => {
      await changeMessage(request, outbox.discard, 'discarded');
      return reply.code(204).send();
    },
  );
}
