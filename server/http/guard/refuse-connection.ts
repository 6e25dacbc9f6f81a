import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '#server/errors.ts';

/** Why a request is refused. `detail`: in words that a client may see. */
export interface Refusal {
  status: number;
  detail: string;
}

/** What a client has to read its response in: closing at once, with more of its bytes unread, could take that from it. */
const LINGER_MS = 1_000;

/**
 * Writes a problem (RFC 9457) to a connection and closes it: what follows on it cannot be told from another request.
 * `headers`: those of every response, names in lower case. `isHead`: of a response to HEAD, which has no body.
 */
export function writeRefusal(
  socket: Socket,
  { status, detail }: Refusal,
  headers: Readonly<Record<string, string>>,
  isHead = false,
): void {
  const body = JSON.stringify(problem(status, detail));
  const own = {
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
  closeAfter(socket, isHead ? head : head + body);
}

/** Ends a connection after its last bytes, also where the client goes on sending or never reads them. */
export function closeAfter(socket: Socket, lastBytes = ''): void {
  // Half-closed is not closed.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(lastBytes);
}
