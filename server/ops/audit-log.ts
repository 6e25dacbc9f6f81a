import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Writes down who changed what. */
export type AuditLog = (
  request: FastifyRequest,
  change: { what: string; asked?: unknown; before?: unknown; after?: unknown },
) => void;

/** One line for each change an operator makes: from which address, what, and the state before and after. */
export function createAuditLog(logger: Logger): AuditLog {
  return (request, change) =>
    logger.warn({ who: request.ip, requestId: request.id, ...change }, 'operator change');
}
