import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '#server/errors.ts';

/** What Node could not read as a request, by the codes it gives. */
const STATUSES: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** What a client has to read its answer in: closing at once, with more of its bytes unread, could take that from it. */
const LINGER_MS = 1_000;

const DETAILS: Record<number, string> = {
  400: 'The request could not be read.',
  408: 'The request took too long.',
  431: 'The headers of the request are too large.',
};

/**
 * Answers bytes that are no request with a problem and the headers of every answer, and closes the connection: what
 * follows on it cannot be told from another request. `headers`: names in lower case.
 */
export function answerClientErrors(headers: Readonly<Record<string, string>>, nextId: () => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
    const status = STATUSES[error.code ?? ''] ?? 400;
    const body = JSON.stringify(problem(status, DETAILS[status] ?? ''));
    const own = {
      ...headers,
      'x-request-id': nextId(),
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
    // Half-closed is not closed: who goes on sending, or never reads this, would keep the connection for good.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}
