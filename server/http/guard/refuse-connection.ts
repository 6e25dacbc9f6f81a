import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Headers } from '#server/http/response/security-headers.ts';
import { PROBLEM_CONTENT_TYPE, problem } from '#server/problem-details.ts';

/** The response to a refused request. `detail`: text that a client may see. */
export interface Refusal {
  status: number;
  detail: string;
}

/** Time for the client to read its response: closing at once with unread bytes would send a reset, which discards it. */
const LINGER_MS = 1_000;

/**
 * Writes a problem (RFC 9457) to a connection and closes it, because what follows on it may not be a request.
 * `headers`: those of every response. `isHead`: leaves out the body.
 */
export function writeRefusal(
  socket: Socket,
  { status, detail }: Refusal,
  headers: Headers,
  isHead = false,
): void {
  const body = JSON.stringify(problem(status, detail));
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
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(lastBytes);
}
