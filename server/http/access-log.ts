import type { Logger } from 'pino';
import { type Clock, createLineCounter } from '#server/time.ts';
import { isRefusal } from './refusals.ts';
import { decodeFully } from './request-head.ts';
import { CLIENT_CLOSED_REQUEST, type OnResponse } from './response-observer.ts';

export interface AccessLogOptions {
  clock: Clock;
  /** Share of cache hits that get a line, 0 to 1. */
  hitSample?: number;
  random?: () => number;
}

const MAX_PATH_LENGTH = 300;
/** A segment of a path below which readers' search terms are, spelled in any way. */
const SEARCH = /\/search(?![\w-])/i;

/**
 * Returns what writes the access log: one line per request, with fields by OpenTelemetry's semantic conventions, without
 * the client's IP and without what the reader may have typed. The line names the request's id itself: a child logger per
 * request, as Fastify makes one, would cost every request and is needed by few. Of refusals of one route and status, and of
 * requests of one route whose clients have left, one line a second is written, with their number (`count`).
 */
export function createAccessLog(
  logger: Logger,
  { clock, hitSample = 1, random = Math.random }: AccessLogOptions,
): OnResponse {
  const countOfLine = createLineCounter(clock);

  return (completed) => {
    const { id, method, target, route, status, cacheResult, ms, trace } = completed;
    if (!logger.isLevelEnabled('info')) return;
    const isReady = cacheResult === 'hit' || cacheResult === 'stale';
    if (isReady && hitSample < 1 && random() >= hitSample) return;
    const isSampled = isRefusal(completed) || status === CLIENT_CLOSED_REQUEST;
    const count = isSampled ? countOfLine(`${status} ${route ?? ''}`) : undefined;
    if (count === null) return;
    // pino leaves out what is undefined.
    const line = {
      reqId: id,
      'http.request.method': method,
      'http.route': route,
      'url.path': loggedPath(target),
      'http.response.status_code': status,
      ms: Math.round(ms * 10) / 10,
      count,
      ...trace,
    };
    logger.info(line, 'request');
  };
}

/** Returns the path of a target as logs may have it: shortened, without query; undefined where a search term may be in it. */
export function loggedPath(target: string): string | undefined {
  const query = target.indexOf('?');
  const path = target.slice(0, query === -1 ? MAX_PATH_LENGTH : Math.min(query, MAX_PATH_LENGTH));
  return SEARCH.test(path.includes('%') ? decodeFully(path) : path) ? undefined : path;
}
