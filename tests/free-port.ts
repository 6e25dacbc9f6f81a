import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no connection and no server that listens on port 0 is given one of these. */
const FIRST = 11_000;
const LAST = 31_999;

/** Returns a free TCP port, for a server that is started later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
