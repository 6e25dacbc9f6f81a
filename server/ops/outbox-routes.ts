import type { FastifyInstance } from 'fastify';
import type { Outbox } from '#server/outbox/outbox.ts';
import { OutboxMessageParams, OutboxResponse, RetryResponse } from '#shared/models/ops/ops-schemas.ts';
import { SiteError } from '#shared/site-error.ts';
import type { AuditLog } from './audit-log.ts';
import { problems } from './ops-responses.ts';
import { outboxStatus } from './outbox-status.ts';

/** Serves what is pending in the outbox and what was rejected, without anything personal, and retries messages. */
export async function outboxRoutes(
  app: FastifyInstance,
  { outbox, auditLog }: { outbox: Pick<Outbox, 'list' | 'depth' | 'retry'>; auditLog: AuditLog },
): Promise<void> {
  app.get(
    '/outbox',
    {
      schema: {
        summary:
          'Pending and rejected messages: how many there are, and at most 500 of this instance and 500 of all',
        response: { 200: OutboxResponse, ...problems },
      },
    },
    async () => ({
      ...outboxStatus(outbox),
      messages: await outbox.list(),
    }),
  );

  app.post(
    '/outbox/:id/retry',
    {
      schema: {
        summary: 'Retries a message',
        params: OutboxMessageParams,
        response: { 202: RetryResponse, ...problems },
      },
    },
    async (request, reply) => {
      const id = OutboxMessageParams.safeParse(request.params).data?.id;
      if (id === undefined || !(await outbox.retry(id)))
        throw new SiteError('not-found', 'No pending or rejected message has this id.');
      await auditLog.record(request, { what: `outbox message ${id}`, after: 'pending' });
      return reply.code(202).send({ id, state: 'pending' });
    },
  );
}
