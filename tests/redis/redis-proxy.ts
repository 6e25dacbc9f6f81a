import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../free-port.ts';

/** A network between the site and a Redis. */
export interface RedisProxy {
  url: string;
  /** Delays what is passed on, each way. */
  delayBy(ms: number): void;
  /** Passes nothing on any more of the connections that are open, and tells neither side. */
  lose(): void;
  /** Ends the connection that passes a text on after it. */
  cutAfter(text: string): void;
  close(): void;
}

/** Starts a proxy of a port. */
export async function startRedisProxy(to: number): Promise<RedisProxy> {
  const open = new Set<Socket>();
  let delayMs = 0;
  let lastText: string | null = null;
  const port = await freePort();
  const server = createServer((client) => {
    const redis = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [client, redis],
      [redis, client],
    ] as const) {
      open.add(from);
      from.on('data', (bytes) => {
        if (!open.has(from)) return;
        const at = lastText === null ? -1 : bytes.indexOf(lastText);
        if (lastText !== null && at >= 0) {
          open.delete(from);
          into.end(bytes.subarray(0, at + lastText.length));
          return;
        }
        if (delayMs === 0) into.write(bytes);
        else setTimeout(() => into.write(bytes), delayMs);
      });
      from.on('error', () => into.destroy());
      from.on('close', () => into.destroy());
    }
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${port}`,
    delayBy(ms) {
      delayMs = ms;
    },
    lose: () => open.clear(),
    cutAfter(text) {
      lastText = text;
    },
    close: () => server.close(),
  };
}
