import { hash, timingSafeEqual } from 'node:crypto';
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  Server,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '#server/problem-details.ts';
import { HEALTH_CHECK_PATHS } from './health.ts';
import { WINDOW_MS } from './rate-limit.ts';
import {
  BAD_EXPECTATION,
  BAD_TARGET,
  endConnection,
  NOT_THROUGH_CDN,
  refusalOf,
  TOO_MANY,
  TOO_SLOW,
  writeRefusal,
} from './refusals.ts';
import { checkRequestHead, METHODS, parseRequestTarget, routedMethod } from './request-head.ts';
import type { Headers } from './response/security-headers.ts';
import type { OnResponse } from './response-observer.ts';

type Head = Pick<IncomingMessage, 'method' | 'url'>;
/** A request of which the parser has made nothing. The method is that of OpenTelemetry's conventions. */
const UNREADABLE: Head = { method: '_OTHER', url: '' };

export interface RequestGuardDeps {
  headers: () => Headers;
  nextId: () => string;
  /** Called for requests that the guard refuses or responds to itself; method `_OTHER` for what is no request. */
  onResponse: OnResponse;
  /** Counts a request of a client that the guard does not admit; false where it exceeds the rate limit. Default: true. */
  allowsRefused?: (ip: string) => boolean;
  clientIpOf?: (request: IncomingMessage) => string;
  /** Whether a request came through the CDN (`ORIGIN_SECRET`). Default: every one did. */
  isThroughCdn?: (path: string, headers: IncomingHttpHeaders) => boolean;
}

export type RequestGuard = ReturnType<typeof createRequestGuard>;

/**
 * Admits requests, or refuses them before any other code sees them: invalid HTTP/1.1 with one problem (RFC 9457), after the
 * pending responses on the connection, which then ends. No handler sees such a request, nor any that follows it.
 */
export function createRequestGuard(deps: RequestGuardDeps) {
  const { headers, nextId, onResponse, allowsRefused = () => true, isThroughCdn = () => true } = deps;
  const { clientIpOf = ({ socket }) => socket.remoteAddress ?? '' } = deps;
  /** Connections on which a request was refused. What the parser still finds in their bytes is ignored. */
  const refused = new WeakSet<Socket>();
  /** Connections on which no further request is admitted: those of `refused`, and those that end after an admitted one. */
  const closing = new WeakSet<Socket>();
  /** Responses that `follow` was told of, by connection: the last one, and those before it that have not been sent yet. */
  const followed = new WeakMap<Socket, ServerResponse[]>();
  const latest = (socket: Socket) => followed.get(socket)?.at(-1);

  function refuse(socket: Socket, refusal: Problem, request?: IncomingMessage): void {
    refused.add(socket);
    closing.add(socket);
    const id = nextId();
    const sent = isAllowed(socket, request) ? refusal : TOO_MANY;
    const own = {
      ...headers(),
      'x-request-id': id,
      ...(sent === TOO_MANY && { 'retry-after': String(WINDOW_MS / 1_000) }),
    };
    afterResponses(socket, () => writeRefusal(socket, sent, own, request?.method === 'HEAD'));
    report(request ?? UNREADABLE, id, sent.status);
  }

  const isAllowed = (socket: Socket, request?: IncomingMessage) =>
    allowsRefused(request ? clientIpOf(request) : (socket.remoteAddress ?? ''));

  function report({ method = '', url: target = '' }: Head, id: string, status: number): void {
    onResponse({ id, method, target, status, ms: 0 });
  }

  /** Runs `work` once all responses have been sent whose requests have come completely. */
  function afterResponses(socket: Socket, work: () => void): void {
    const last = followed.get(socket)?.findLast((response) => response.req.complete && isPending(response));
    if (last) last.once('finish', work);
    else work();
  }

  /** Responds to `OPTIONS *` (RFC 9110, 9.3.7). */
  function respondToOptions(request: IncomingMessage, response: ServerResponse): void {
    if (!isAllowed(request.socket, request)) return void refuse(request.socket, TOO_MANY, request);
    const id = nextId();
    response.writeHead(204, { ...headers(), allow: METHODS.join(', '), 'x-request-id': id }).end();
    if (response.socket === null) follow(response);
    report(request, id, 204);
  }

  /** Returns the target of a request: a path with its query, or `*` of `OPTIONS`; or why it is refused. */
  function targetOf(request: IncomingMessage): string | Problem {
    const { method, url = '', headers: given } = request;
    const refusal = checkRequestHead(request);
    if (refusal !== null) return refusal;
    const target = url === '*' && method === 'OPTIONS' ? url : parseRequestTarget(url);
    if (target === null) return BAD_TARGET;
    return isThroughCdn(target, given) ? target : NOT_THROUGH_CDN;
  }

  /**
   * True: `request.url` is a path with its query, `request.method` one that is routed. False: the guard has responded, or the
   * connection is closing.
   */
  function admit(request: IncomingMessage, response: ServerResponse): boolean {
    if (closing.has(request.socket)) return false;
    const target = targetOf(request);
    if (typeof target !== 'string') {
      refuse(request.socket, target, request);
      return false;
    }
    if (request.headers.upgrade !== undefined) closeAfter(response);
    request.url = target;
    request.method = routedMethod(request.method);
    if (target !== '*') return true;
    respondToOptions(request, response);
    return false;
  }

  /**
   * Ignores an offer of another protocol (RFC 9110, 7.8). Node's parser drops the bytes that follow it in its packet, so
   * nothing that comes later on the connection can be told from the middle of a request.
   */
  function closeAfter(response: ServerResponse): void {
    closing.add(response.req.socket);
    response.shouldKeepAlive = false;
  }

  /**
   * Remembers a response that is not sent at once, so that a refusal comes after it. Not to be called with every response: the
   * connection would keep each alive.
   */
  function follow(response: ServerResponse): void {
    const { socket } = response.req;
    followed.set(socket, [...(followed.get(socket)?.filter(isPending) ?? []), response]);
  }

  return {
    admit,
    follow,
    /** Wraps a listener: it gets the admitted requests. */
    before:
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        if (!admit(request, response)) return;
        follow(response);
        listener(request, response);
      },

    /** Fastify's `clientErrorHandler`: refuses what Node could not parse as a request. */
    onClientError(error: Error, socket: Socket): void {
      if (refused.has(socket)) return;
      const code = 'code' in error ? String(error.code) : '';
      if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
      // The previous response said `connection: close`.
      if (code === 'HPE_CLOSED_CONNECTION') return;
      const response = latest(socket);
      // What follows the last request is no request.
      if (closing.has(socket) && response?.req.complete !== false) return;
      // An error in the body of a request whose response has begun: a second response would be taken for the next one's.
      if (response && !response.req.complete && response.headersSent) {
        refused.add(socket);
        if (response.writableFinished) endConnection(socket);
        else response.once('finish', () => endConnection(socket));
      } else refuse(socket, refusalOf(error, code));
    },

    /** Handles Node's other events of requests: `checkContinue`, `checkExpectation`, `connect`, `timeout`. */
    attach(server: Server): void {
      server.on('checkContinue', (request, response) => {
        // No `100 Continue` for a request that will be refused.
        if (typeof targetOf(request) === 'string') response.writeContinue();
        server.emit('request', request, response);
      });
      server.on('checkExpectation', (request) => {
        if (!refused.has(request.socket)) refuse(request.socket, BAD_EXPECTATION, request);
      });
      // Of a connection on which nothing has come or gone for the inactivity timeout.
      server.on('timeout', (socket: Socket) => {
        const response = latest(socket);
        const waitsForBody = response && !response.req.complete && !response.headersSent;
        if (!waitsForBody) socket.destroy();
        else if (!refused.has(socket)) refuse(socket, TOO_SLOW);
      });
      server.on('connect', (request: IncomingMessage, socket: Socket) => {
        // Node has removed its own listeners.
        socket.on('error', () => socket.destroy());
        if (!refused.has(socket)) refuse(socket, BAD_TARGET, request);
      });
    },
  };
}

function isPending({ writableFinished, destroyed }: ServerResponse): boolean {
  return !writableFinished && !destroyed;
}

/**
 * Returns whether a request came through the CDN: its `X-Origin-Secret` is `ORIGIN_SECRET`, its path is that of a health
 * check, which comes from inside, where nobody knows the secret, or no secret is set. Compares digests in constant time.
 */
export function createOriginSecretCheck(
  secret: string | null,
): (path: string, headers: IncomingHttpHeaders) => boolean {
  if (secret === null) return () => true;
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(secret);
  return (path, { 'x-origin-secret': given }) =>
    HEALTH_CHECK_PATHS.has(path.split('?', 1)[0] ?? '') ||
    (typeof given === 'string' && timingSafeEqual(digest(given), expected));
}
