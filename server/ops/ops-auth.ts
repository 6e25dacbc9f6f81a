import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Config } from '#server/config/config.ts';
import { type Problem, problem, sendProblem } from '#server/problem-details.ts';
import { SessionResponse } from '#shared/models/ops/ops-schemas.ts';
import { DASHBOARD_FILES } from './dashboard-routes.ts';
import { documented } from './ops-responses.ts';

export interface OpsAuthOptions extends Omit<Config['ops'], 'port'> {
  /** The document that a browser without the token gets at `/`, with status 401: it asks for the token. Null: none. */
  loginPage: string | null;
}

/** Who may do what by the token of a request. */
export type OpsAuth = ReturnType<typeof registerOpsAuth>;

/** The variables that hold a token, and what it allows. */
const ROLES = { OPS_TOKEN: 'operator', OPS_READ_TOKEN: 'reader', OPS_PURGE_TOKEN: 'purger' } as const;
type TokenName = keyof typeof ROLES;

const UNSAFE = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);
const digestOf = (text: string) => hash('sha256', text, 'buffer');

/**
 * Rejects requests without a token, with a foreign `Host` (DNS rebinding), and from pages of other sites. Without OPS_TOKEN
 * whoever can connect is an operator, which is safe on a loopback address alone. No response is to be stored (`no-store`) but
 * the dashboard's files, which have their own header and need no token.
 */
export function registerOpsAuth(
  app: FastifyInstance,
  { token, readToken, purgeToken, host, loginPage }: OpsAuthOptions,
) {
  const digests = new Map<TokenName, Buffer>();
  if (token !== null) digests.set('OPS_TOKEN', digestOf(token));
  if (readToken !== null) digests.set('OPS_READ_TOKEN', digestOf(readToken));
  if (purgeToken !== null) digests.set('OPS_PURGE_TOKEN', digestOf(purgeToken));

  /** Returns whose token a request has; null: none. Digests are compared in constant time: neither length nor time tells anything. */
  function tokenOf({ headers: { authorization = '' } }: Pick<FastifyRequest, 'headers'>): TokenName | null {
    const given = digestOf(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
    return [...digests].find(([, digest]) => timingSafeEqual(given, digest))?.[0] ?? null;
  }

  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const refusal = refusalOf(request);
    if (refusal === null) return;
    if (refusal.status !== 401) return sendProblem(reply, refusal);
    reply.header('www-authenticate', 'Bearer');
    if (loginPage === null || !wantsPage(request)) return sendProblem(reply, refusal);
    return reply.code(401).type('text/html; charset=utf-8').send(loginPage);
  });

  function refusalOf(request: FastifyRequest): Problem | null {
    if (token === null) {
      // DNS rebinding: a name that resolves to this machine would open every call to an attacker's page.
      if (!isOwnName(request.headers.host, host))
        return problem(403, 'The Host header is not this listener’s own.');
    } else if (request.routeOptions.url !== DASHBOARD_FILES) {
      const name = tokenOf(request);
      if (name === null) return problem(401, 'This call needs the operators’ token.');
      if (name === 'OPS_PURGE_TOKEN')
        return isPurge(request) ? null : problem(403, 'This token may purge and nothing else.');
      if (name === 'OPS_READ_TOKEN' && UNSAFE.has(request.method))
        return problem(403, 'This token may read and change nothing.');
    }
    return isOfAnotherSite(request) && !isLinkToDashboard(request)
      ? problem(403, 'Requests of other sites are rejected.')
      : null;
  }

  return {
    role(request: Pick<FastifyRequest, 'headers'>): (typeof ROLES)[TokenName] {
      return ROLES[tokenOf(request) ?? 'OPS_TOKEN'];
    },
    /** Returns the name of the variable that holds the token, or `no token` where none is set. */
    tokenName(request: Pick<FastifyRequest, 'headers'>): TokenName | 'no token' {
      return tokenOf(request) ?? 'no token';
    },
  };
}

/** Serves what the token of a request may do. */
export async function sessionRoutes(app: FastifyInstance, { auth }: { auth: OpsAuth }): Promise<void> {
  app.get(
    '/session',
    documented('What the token of this request may do', { 200: SessionResponse }),
    async (request) => ({ role: auth.role(request), token: auth.tokenName(request) }),
  );
}

function isPurge({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'POST' && routeOptions.url === '/cache/purge';
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

/** Alerts link to the dashboard: its document holds nothing of the site, and no other page may frame it. */
function isLinkToDashboard({ headers, method, routeOptions }: FastifyRequest): boolean {
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return method === 'GET' && routeOptions.url === '/' && isNavigation;
}

/** Another port of this machine is another site too: the readers' one shows other people's content. */
function isOfAnotherSite({ headers, method }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (!UNSAFE.has(method) || headers.origin === undefined) return false;
  return URL.parse(headers.origin)?.host !== headers.host;
}
