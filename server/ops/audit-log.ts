import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Logs who changed what. */
export type AuditLog = (
  request: FastifyRequest,
  change: { what: string; asked?: unknown; before?: unknown; after?: unknown },
) => void;

/** Writes one line for each change of an operator: client IP, what, and the state before and after. */
export function createAuditLog(logger: Logger): AuditLog {
  return (request, change) =>
    logger.warn({ who: request.ip, requestId: request.id, ...change }, 'operator change');
}
