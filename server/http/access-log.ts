import type { Logger } from 'pino';
import type { OnResponse } from './on-response.ts';

const MAX_PATH_LENGTH = 300;

/**
 * Returns what writes the access log: one line per request, with fields by OpenTelemetry's semantic conventions, without the
 * client's IP and without the query, which the reader may have typed. The line names the request's id itself: a child logger
 * per request, as Fastify makes one, would cost every request and is needed by few. Of cache hits a share of `hitSample`
 * (0 to 1) gets a line.
 */
export function createAccessLog(logger: Logger, hitSample = 1, random = Math.random): OnResponse {
  return ({ id, method, target, status, isCacheHit, ms, trace }) => {
    if (!logger.isLevelEnabled('info')) return;
    if (isCacheHit && hitSample < 1 && random() >= hitSample) return;
    const line = {
      reqId: id,
      'http.request.method': method,
      'url.path': pathOf(target),
      'http.response.status_code': status,
      ms: Math.round(ms * 10) / 10,
    };
    logger.info(trace ? { ...line, ...trace } : line, 'request');
  };
}

/** Returns the path of a request target without its query, shortened. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return target.slice(0, query === -1 ? MAX_PATH_LENGTH : Math.min(query, MAX_PATH_LENGTH));
}
