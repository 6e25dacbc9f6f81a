import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Sends an error of the demo CMS itself as problem details (RFC 9457). Errors of upstream calls have the shape of such a CMS. */
export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail }));
}
