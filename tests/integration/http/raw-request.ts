import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends raw bytes and resolves with all that comes back until the server closes the connection. */
export async function rawRequest(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** Returns the statuses of the responses in a byte stream, also where one follows a body without a line break. */
export function statusesOf(bytes: string): number[] {
  return [...bytes.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
