import type { FastifyInstance } from 'fastify';
import { AuditResponse, SessionResponse } from '#shared/models/ops/ops-schemas.ts';
import type { AuditLog } from './audit-log.ts';
import type { OpsAuth } from './ops-auth.ts';
import { problems } from './ops-responses.ts';

/** Serves who changed what, and what the token of a request may do. */
export async function auditRoutes(
  app: FastifyInstance,
  { auditLog, auth }: { auditLog: Pick<AuditLog, 'entries'>; auth: OpsAuth },
): Promise<void> {
  app.get(
    '/audit',
    {
      schema: {
        summary: 'The last changes made at this instance: who, from where, what, the state before and after',
        response: { 200: AuditResponse, ...problems },
      },
    },
    async () => ({ entries: await auditLog.entries() }),
  );

  app.get(
    '/session',
    {
      schema: {
        summary: 'What the token of this request may do',
        response: { 200: SessionResponse, ...problems },
      },
    },
    async (request) => ({ role: auth.role(request), token: auth.tokenName(request) }),
  );
}
