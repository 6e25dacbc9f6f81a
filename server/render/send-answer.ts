import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheStatus } from '#server/cache/cache-status.ts';
import type { Served } from './answer-cache.ts';
import type { FinishedAnswer } from './finished-answer.ts';
import { chooseEncoding, matchesEtag } from './negotiate.ts';

/** Readers' browsers keep a page but ask each time: a 304 costs little, counts a view, and is never out of date. */
const REVALIDATE = 'public, max-age=0, must-revalidate';

/** When a page whose data could not be had is worth asking for again, in seconds. */
const RETRY_AFTER = '5';

/** Sends an answer's prepared bytes: 200, 304, or the status it carries. */
export function sendAnswer<Extra>(
  request: FastifyRequest,
  reply: FastifyReply,
  served: Served<Extra> & { kind: 'answer' },
  cacheName: 'page' | 'data',
): FastifyReply {
  const { answer, outcome } = served;
  const variant = answer.variants[chooseEncoding(request.headers['accept-encoding'])];
  reply.header('cache-status', cacheStatus(cacheName, outcome)).header('vary', 'Accept-Encoding');
  if (answer.status === 503) return sendUnavailable(reply, answer);
  reply.header('cache-control', REVALIDATE).header('etag', variant.etag);
  if (answer.status === 200 && matchesEtag(request.headers['if-none-match'], variant.etag)) return reply.code(304).send();
  if (variant.encoding !== 'identity') reply.header('content-encoding', variant.encoding);
  return reply.code(answer.status).type(answer.contentType).send(variant.body);
}

function sendUnavailable(reply: FastifyReply, answer: FinishedAnswer): FastifyReply {
  return reply
    .code(503)
    .header('cache-control', 'no-store')
    .header('retry-after', RETRY_AFTER)
    .type(answer.contentType)
    .send(answer.variants.identity.body);
}
