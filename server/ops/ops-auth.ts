import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Problem, problem } from '#server/errors.ts';
import { sendOpsProblem } from './ops-responses.ts';

export interface GuardOptions {
  /** Null: whoever reaches the listener is an operator, which a loopback address alone makes safe. */
  token: string | null;
  /** OPS_HOST. */
  host: string;
  /** What a browser without the token gets at `/`, with status 401: a page that asks for it. Null: there is none. */
  wayIn: string | null;
  /** Routes that need no token, because what they answer is the same everywhere. */
  open: ReadonlySet<string>;
}

const UNSAFE = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/** Refuses what no operator sends: no token, a name that points here from elsewhere, a page of another site. */
export function registerGuard(app: FastifyInstance, { token, host, wayIn, open }: GuardOptions): void {
  const authorised = token === null ? () => true : createTokenCheck(token);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const refusal = refusalOf(request);
    if (refusal === null) return;
    if (refusal.status !== 401) return sendOpsProblem(reply, refusal);
    reply.header('www-authenticate', 'Bearer');
    if (wayIn === null || !wantsPage(request)) return sendOpsProblem(reply, refusal);
    return reply.code(401).type('text/html; charset=utf-8').send(wayIn);
  });

  function refusalOf(request: FastifyRequest): Problem | null {
    const isOpen = open.has(request.routeOptions.url ?? '');
    if (!isOpen && !authorised(request.headers.authorization))
      return { ...problem(401, 'This call needs the operators’ token.'), title: 'Unauthorized' };
    // Without a token a name that an attacker's DNS points at this machine would open every call to their page.
    if (token === null && !isOwnName(request.headers.host, host))
      return problem(403, 'The Host header is not this listener’s own.');
    return isOfAnotherSite(request) && !isLinkToDashboard(request)
      ? problem(403, 'Requests of other sites are refused.')
      : null;
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

function wantsPage({ headers, method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && routeOptions.url === '/' && headers.accept?.includes('text/html') === true;
}

/** An alert's message may link to the cockpit: its document tells nothing, and no other page may frame it. */
function isLinkToDashboard({ headers, method, routeOptions }: FastifyRequest): boolean {
  const followed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return method === 'GET' && routeOptions.url === '/' && followed;
}

/** Another port of this machine is another site too: the readers' one shows what others wrote. */
function isOfAnotherSite({ headers, method }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (!UNSAFE.has(method) || headers.origin === undefined) return false;
  return URL.parse(headers.origin)?.host !== headers.host;
}
