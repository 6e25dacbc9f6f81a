import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Problem, problem } from '#server/errors.ts';
import { sendOpsProblem } from './ops-answers.ts';

export interface GuardOptions {
  /** Null: whoever reaches the listener is an operator, which a loopback address alone makes safe. */
  token: string | null;
  /** OPS_HOST. */
  host: string;
}

const UNSAFE = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/** Refuses what no operator sends: no token, a name that points here from elsewhere, a page of another site. */
export function registerGuard(app: FastifyInstance, { token, host }: GuardOptions): void {
  const authorised = token === null ? () => true : createTokenCheck(token);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const refusal = refusalOf(request);
    if (refusal === null) return;
    if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
    return sendOpsProblem(reply, refusal);
  });

  function refusalOf(request: FastifyRequest): Problem | null {
    if (!authorised(request.headers.authorization))
      return { ...problem(401, 'This call needs the operators’ token.'), title: 'Unauthorized' };
    // Without a token a name that an attacker's DNS points at this machine would open every call to their page.
    if (token === null && !isOwnName(request.headers.host, host))
      return problem(403, 'The Host header is not this listener’s own.');
    return isOfAnotherSite(request) ? problem(403, 'Requests of other sites are refused.') : null;
  }
}

/** Compares digests, so that neither the length nor the time says anything about the token. */
function createTokenCheck(token: string): (header: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (header = '') => timingSafeEqual(digest(/^Bearer +(\S+)$/i.exec(header)?.[1] ?? ''), expected);
}

function isOwnName(header: string | undefined, host: string): boolean {
  const name = URL.parse(`http://${header ?? ''}`)?.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!name) return false;
  if (name === 'localhost' || name === host.toLowerCase()) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}

/** Another port of this machine is another site too: the readers' one shows what others wrote. */
function isOfAnotherSite({ headers, method }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (!UNSAFE.has(method) || headers.origin === undefined) return false;
  return URL.parse(headers.origin)?.host !== headers.host;
}
