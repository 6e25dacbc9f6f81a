import type { Logger } from 'pino';
import type { OnResponse } from './on-response.ts';

/**
 * One line per request: nothing personal, no address, and the query left out because a reader may have typed it. The id
 * is named in each line: a logger for each request, as Fastify makes one, costs every reader and is asked once.
 */
export function createAccessLog(logger: Logger): OnResponse {
  return ({ id, method, target, status, ms }) => {
    if (!logger.isLevelEnabled('info')) return;
    const path = target.split('?', 1)[0]?.slice(0, 300);
    logger.info({ reqId: id, method, path, status, ms: Math.round(ms * 10) / 10 }, 'request');
  };
}
