import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { TooManyRequests } from '#server/errors.ts';
import { PROBLEM_CONTENT_TYPE, type Problem, problem, problemOf } from '#server/problem-details.ts';
import { after } from '#server/time.ts';
import type { Headers } from './response/security-headers.ts';
import type { CompletedResponse } from './response-observer.ts';

export const LONG_TARGET = problem(414, 'The request target is too long.');
export const BAD_VERSION = problem(400, 'This server speaks HTTP/1.1.');
export const BAD_HOST = problem(400, 'The request needs one valid Host header.');
export const BAD_FRAMING = problem(400, 'The end of the request cannot be determined.');
export const BAD_TARGET = problem(400, 'The request target is not valid.');
export const BAD_EXPECTATION = problem(417, 'The only expectation met is 100-continue.');
const BAD_MESSAGE = problem(400, 'The request could not be read.');
export const TOO_SLOW = problem(408, 'The request took too long.');

/** Refusals of what Node could not parse, by its error code. */
const PARSER_REFUSALS: Record<string, Problem> = {
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: problem(413, 'The extensions of the chunks are too large.'),
  HPE_HEADER_OVERFLOW: problem(431, 'The headers of the request are too large.'),
};

export const TOO_MANY = problemOf(new TooManyRequests());
export const NOT_THROUGH_CDN = problem(403, 'This site is reached through its public address.');

const LONG_REQUEST_LINE = /^[!#$%&'*+.^`|~\w-]{1,40} \S{8000}/;

/** Returns the refusal of what Node could not parse as a request. `code`: of the error. */
export function refusalOf(error: Error, code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW' && LONG_REQUEST_LINE.test(requestLineOf(error))) return LONG_TARGET;
  return PARSER_REFUSALS[code] ?? BAD_MESSAGE;
}

/** Returns the line at which the parser stopped, as far as it is in the last packet. */
function requestLineOf(error: Error): string {
  if (!('rawPacket' in error && error.rawPacket instanceof Buffer && 'bytesParsed' in error)) return '';
  const bytes = error.rawPacket;
  const start = bytes.lastIndexOf('\n', Math.max(0, Number(error.bytesParsed) - 1)) + 1;
  const end = bytes.indexOf('\n', start);
  return bytes.toString('latin1', start, end < 0 ? bytes.length : end);
}

/** Time for the client to read its response: closing at once with unread bytes would send a reset, which discards it. */
const LINGER_MS = 1_000;

/**
 * Writes a problem (RFC 9457) to a connection and closes it, because what follows on it may not be a request.
 * `headers`: those of every response. `isHead`: leaves out the body.
 */
export function writeRefusal(socket: Socket, refusal: Problem, headers: Headers, isHead = false): void {
  const { status } = refusal;
  const body = JSON.stringify(refusal);
  const own = {
    ...headers,
    'cache-control': 'no-store',
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
  endConnection(socket, isHead ? head : head + body);
}

/** Ends a connection after its last bytes, also if the client goes on sending or never reads them. */
export function endConnection(socket: Socket, lastBytes = ''): void {
  // `end` closes one direction only.
  after(LINGER_MS, () => socket.destroy());
  socket.end(lastBytes);
}

/** Statuses of requests that are not served because of what they are: a client can send them without end. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([
  400, 403, 405, 406, 408, 413, 414, 415, 417, 421, 429, 431,
]);
const MAX_REFUSALS_IN_A_ROW = 10;

/** Whether a request was refused. `OPTIONS *` counts, the only response without a route that is no error. */
export function isRefusal({ status, route }: Pick<CompletedResponse, 'status' | 'route'>): boolean {
  return REFUSAL_STATUSES.has(status) || (status === 204 && route === undefined);
}

/** Ends a connection whose requests are only refused. */
export const closeRefused = fp(
  async (app: FastifyInstance): Promise<void> => {
    const refusals = new WeakMap<Socket, number>();
    app.addHook('onSend', (request, reply, payload, done) => {
      const { socket } = request.raw;
      if (!REFUSAL_STATUSES.has(reply.statusCode)) refusals.delete(socket);
      else {
        const inARow = (refusals.get(socket) ?? 0) + 1;
        refusals.set(socket, inARow);
        if (inARow >= MAX_REFUSALS_IN_A_ROW) reply.header('connection', 'close');
      }
      done(null, payload);
    });
  },
  { name: 'close-refused' },
);
