import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no connection and no server that listens on port 0 is given one of these. */
const FIRST = 11_000;
const LAST = 31_999;

/**
 * Returns a free TCP port, for a server that is started later. Until this process ends no other call returns it, in any
 * process: the UDP port of the same number is bound for as long.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    const reservation = createSocket('udp4').unref();
    if (!(await binds(reservation, port))) continue;
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    } catch {
      reservation.close();
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

async function binds(socket: Socket, port: number): Promise<boolean> {
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch {
    socket.close();
    return false;
  }
}
