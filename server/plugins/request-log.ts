import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/**
 * One line per request: nothing personal, no address, and the query left out because a reader may have typed it. The id
 * is named in each line: a logger for each request, as Fastify makes one, costs every reader and is asked once.
 */
export function registerRequestLog(app: FastifyInstance, logger: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (!logger.isLevelEnabled('info')) return done();
    logger.info(
      {
        reqId: request.id,
        method: request.method,
        path: request.url.split('?', 1)[0]?.slice(0, 300),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
    done();
  });
}
