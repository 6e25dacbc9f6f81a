import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { OnResponse } from '#server/http/on-response.ts';
import { closeAfter, type Refusal, writeRefusal } from './refuse-connection.ts';
import { BAD_METHOD, createRequestHeadCheck, METHODS } from './request-head.ts';
import { parseRequestTarget } from './request-target.ts';

const BAD_TARGET: Refusal = { status: 400, detail: 'The request target is not valid.' };
const BAD_EXPECTATION: Refusal = { status: 417, detail: 'The only expectation met is 100-continue.' };
const BAD_UPGRADE: Refusal = { status: 400, detail: 'This server speaks no other protocol.' };
const BAD_MESSAGE: Refusal = { status: 400, detail: 'The request could not be read.' };

/** What Node could not read as a request, by the codes it gives. */
const PARSER_REFUSALS: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request took too long.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, detail: 'The extensions of the chunks are too large.' },
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers of the request are too large.' },
};

const REQUEST_LINE = /^[!#$%&'*+.^`|~\w-]{1,40} \S{1,8000} HTTP\/1\.[01]\r$/;

export interface RequestGuardDeps {
  /** Headers of every response, names in lower case. */
  headers: Readonly<Record<string, string>>;
  nextId: () => string;
  /** Told of the requests that the guard has answered itself. */
  onResponse: OnResponse;
}

/** What lets requests in, or refuses them before anything else has seen them. */
export interface RequestGuard {
  /** True: `request.url` is a path with its query. False: the request has been answered, or its connection is ending. */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** Is to be told of each response that is not ended at once, so that a refusal on its connection comes after it. */
  follow(response: ServerResponse): void;
  /** A listener that hands on what is admitted. */
  before(listener: RequestListener): RequestListener;
  /** Fastify's `clientErrorHandler`: answers what Node could not read as a request. */
  onClientError(error: Error, socket: Socket): void;
  /** Has the guard answer what Node tells of by other events than `request`. */
  attach(server: Server): void;
}

/**
 * Refuses what is no sound HTTP/1.1 request: one problem (RFC 9457), after the responses under way on its connection,
 * and the connection ends. No handler sees such a request, nor any that follows it.
 */
export function createRequestGuard({ headers, nextId, onResponse }: RequestGuardDeps): RequestGuard {
  const checkHead = createRequestHeadCheck();
  /** Connections that end: the parser may still find requests and errors in bytes that came together. */
  const refused = new WeakSet<Socket>();
  /** The last response of a connection that was not ended at once. */
  const latest = new WeakMap<Socket, ServerResponse>();

  function refuse(socket: Socket, refusal: Refusal, request?: IncomingMessage): void {
    refused.add(socket);
    const id = nextId();
    afterResponses(socket, () =>
      writeRefusal(socket, refusal, { ...headers, 'x-request-id': id }, request?.method === 'HEAD'),
    );
    if (request) tell(request, id, refusal.status);
  }

  function tell({ method = '', url: target = '' }: IncomingMessage, id: string, status: number): void {
    onResponse({ id, method, target, route: undefined, status, ms: 0 });
  }

  /** A response whose own request has come in whole goes first: it belongs to an earlier one. */
  function afterResponses(socket: Socket, work: () => void): void {
    const response = latest.get(socket);
    if (!response?.req.complete || response.writableFinished || response.destroyed) work();
    else response.once('finish', work);
  }

  /** RFC 9110, 9.3.7: about the server as a whole. */
  function respondToOptions(request: IncomingMessage, response: ServerResponse): void {
    const id = nextId();
    response.writeHead(204, { ...headers, allow: [...METHODS].join(', '), 'x-request-id': id }).end();
    tell(request, id, 204);
  }

  function admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket, url = '' } = request;
    if (refused.has(socket)) return false;
    const refusal = checkHead(request);
    const target = parseRequestTarget(url);
    if (refusal === null && target !== null) {
      request.url = target;
      return true;
    }
    if (refusal === null && url === '*' && request.method === 'OPTIONS') respondToOptions(request, response);
    else refuse(socket, refusal ?? BAD_TARGET, request);
    return false;
  }

  function follow(response: ServerResponse): void {
    latest.set(response.req.socket, response);
  }

  return {
    admit,
    follow,
    before: (listener) => (request, response) => {
      if (!admit(request, response)) return;
      follow(response);
      listener(request, response);
    },

    onClientError(error, socket) {
      if (refused.has(socket)) return;
      const code = 'code' in error ? String(error.code) : '';
      if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
      // The response before it has told the client that it was the last.
      if (code === 'HPE_CLOSED_CONNECTION') return;
      const response = latest.get(socket);
      // The body of a request whose response has begun: a second one would be taken for that of the next request.
      if (response && !response.req.complete && response.headersSent) {
        refused.add(socket);
        if (response.writableFinished) closeAfter(socket);
        else response.once('finish', () => closeAfter(socket));
      } else refuse(socket, refusalOf(error, code));
    },

    attach(server) {
      server.on('checkContinue', (request, response) => {
        // Nobody is asked for the body of a request that is refused.
        if (checkHead(request) === null && parseRequestTarget(request.url ?? '') !== null)
          response.writeContinue();
        server.emit('request', request, response);
      });
      server.on('checkExpectation', (request) => {
        if (!refused.has(request.socket)) refuse(request.socket, BAD_EXPECTATION, request);
      });
      for (const event of ['connect', 'upgrade'] as const) {
        server.on(event, (request: IncomingMessage, socket: Socket) => {
          // Node has taken its own listeners off.
          socket.on('error', () => socket.destroy());
          if (!refused.has(socket)) refuse(socket, event === 'connect' ? BAD_TARGET : BAD_UPGRADE, request);
        });
      }
    },
  };
}

function refusalOf(error: Error, code: string): Refusal {
  const isUnknownMethod = code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(requestLineOf(error));
  return isUnknownMethod ? BAD_METHOD : (PARSER_REFUSALS[code] ?? BAD_MESSAGE);
}

/** The line at which the parser stopped, as far as it came with the last bytes. */
function requestLineOf(error: Error): string {
  if (!('rawPacket' in error && error.rawPacket instanceof Buffer && 'bytesParsed' in error)) return '';
  const bytes = error.rawPacket;
  const start = bytes.lastIndexOf('\n', Math.max(0, Number(error.bytesParsed) - 1)) + 1;
  const end = bytes.indexOf('\n', start);
  return end < 0 ? '' : bytes.toString('latin1', start, end);
}
