import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A forward proxy on loopback that tunnels every host to one port of this machine. */
export interface ConnectProxy {
  url: string;
  /** Hosts and ports that were asked for. */
  tunnels: string[];
  /** Targets of requests that it was to forward itself. */
  forwarded: string[];
  close(): Promise<void>;
}

export async function startConnectProxy(port: number): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const forwarded: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    forwarded.push(url);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  server.on('connect', ({ url = '' }, client) => {
    tunnels.push(url);
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    forwarded,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
