import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** One call whose body arrived completely. */
export interface Arrival {
  path: string;
  key: string;
  email: string;
  /** Monotonic milliseconds. */
  at: number;
  /** The status of the response; 0 where there was none. */
  status: number;
}

/** What the upstream does with a call. `lost`: it accepts the call, and its response does not arrive. */
export type Behaviour = 'up' | 'refuses' | 'resets' | 'fails' | 'lost';

/** An upstream in the drill's own process that records every write and can be stopped. */
export interface ScriptedUpstream {
  origin: string;
  arrivals: Arrival[];
  be(behaviour: Behaviour): Promise<void>;
  /** Status for e-mail addresses with this prefix, whatever the behaviour. */
  refuse(prefix: string, status: number): void;
  /** Delays the responses to writes by so many milliseconds. */
  take(ms: number): void;
  /** Highest number of concurrent writes so far. */
  maxConcurrent(): number;
  close(): Promise<void>;
}

/** Starts one. Reads get an empty object; writes 201, views 200. */
export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const arrivals: Arrival[] = [];
  const statusByPrefix = new Map<string, number>();
  const completed = new Map<string, number>();
  let behaviour: Behaviour = 'up';
  let takesMs = 0;
  let underWay = 0;
  let most = 0;
  let server = makeServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the upstream does not listen');
  const { port } = address;

  function makeServer(): Server {
    return createServer(async (request, response) => {
      if (behaviour === 'resets') return request.socket.resetAndDestroy();
      const body = await textOf(request);
      if (behaviour === 'fails') return response.writeHead(503).end();
      if (request.method !== 'POST')
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      most = Math.max(most, ++underWay);
      if (takesMs > 0) await pause(takesMs);
      underWay--;
      const status = statusOf(request, body);
      if (behaviour === 'lost') return request.socket.resetAndDestroy();
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }

  function statusOf(request: IncomingMessage, body: string): number {
    const key = String(request.headers['idempotency-key']);
    const email = String(JSON.parse(body).email ?? '');
    const path = request.url ?? '';
    // A repeated idempotency key gets the first response again and counts as one delivery.
    const status = completed.get(key) ?? statusFor(path, email);
    if (status < 300) completed.set(key, status);
    arrivals.push({ path, key, email, at: performance.now(), status: behaviour === 'lost' ? 0 : status });
    return status;
  }

  function statusFor(path: string, email: string): number {
    for (const [prefix, status] of statusByPrefix) if (email.startsWith(prefix)) return status;
    return path.includes('post_count') ? 200 : 201;
  }

  async function stop(): Promise<void> {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  return {
    origin: `http://127.0.0.1:${port}`,
    arrivals,
    async be(next) {
      behaviour = next;
      if (next === 'refuses') return stop();
      if (server.listening) return;
      server = makeServer();
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    take(ms) {
      takesMs = ms;
    },
    maxConcurrent: () => most,
    refuse: (prefix, status) => void statusByPrefix.set(prefix, status),
    close: stop,
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
