import type { FastifyInstance } from 'fastify';
import type { Outbox } from '#server/outbox/outbox.ts';
import { ProblemResponse } from '#server/routes/api/api-schemas.ts';
import { SiteError } from '#shared/site-error.ts';
import type { AuditLog } from './audit-log.ts';
import { OutboxItemParams, OutboxResponse, RetryResponse } from './ops-schemas.ts';

const problems = { '4xx': ProblemResponse, '5xx': ProblemResponse };

/** What waits on its way upstream, and what was refused for good: nothing personal of either. */
export function outboxRoutes(
  app: FastifyInstance,
  { outbox, log }: { outbox: Pick<Outbox, 'list' | 'depth' | 'retry'>; log: AuditLog },
): void {
  app.get(
    '/outbox',
    {
      schema: {
        summary: 'What waits and what was refused for good, at most 500 of them',
        response: { 200: OutboxResponse, ...problems },
      },
    },
    async () => ({ depth: outbox.depth(), items: await outbox.list() }),
  );

  app.post(
    '/outbox/:id/retry',
    {
      schema: {
        summary: 'Tries a refused item again',
        params: OutboxItemParams,
        response: { 202: RetryResponse, ...problems },
      },
    },
    async (request, reply) => {
      const id = OutboxItemParams.safeParse(request.params).data?.id;
      if (id === undefined || !(await outbox.retry(id)))
        throw new SiteError('not-found', 'No refused item has this id.');
      log(request, { what: `outbox item ${id}`, before: 'refused', after: 'waiting' });
      return reply.code(202).send({ id, state: 'waiting' });
    },
  );
}
