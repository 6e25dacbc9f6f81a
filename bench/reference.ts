import { createServer } from 'node:http';
import Fastify from 'fastify';
import { request } from 'undici';
import { WARM_RESPONSES, type WarmResponse } from './warm-responses.ts';

/**
 * The reference: a bare server that sends the same bytes, headers and all, for every response of the list. `fastify` or
 * `node:http`, the origin to take them from, and the article's path are its arguments.
 */
const [kind, source = '', article = ''] = process.argv.slice(2);

/** Headers that Node writes itself. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']);

interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Stores a response as it is on the wire: `fetch` would decode it. */
async function store(kind: WarmResponse): Promise<StoredResponse> {
  const asked = await kind.headers(source, article);
  const { statusCode, body, headers } = await request(source + kind.path(article), { headers: asked });
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  return {
    status: statusCode,
    body: Buffer.from(await body.arrayBuffer()),
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
  };
}

const responses = new Map<string, StoredResponse>();
for (const kind of WARM_RESPONSES) responses.set(kind.name, await store(kind));

/** The request's header names the response to send: the reference routes nothing. */
const responseFor = (name: string | string[] | undefined) => responses.get(String(name));

async function listenFastify(): Promise<string> {
  const app = Fastify();
  for (const path of new Set(WARM_RESPONSES.map((kind) => kind.path(article)))) {
    app.get(path, (asked, reply) => {
      const stored = responseFor(asked.headers['x-example']);
      return reply
        .code(stored?.status ?? 404)
        .headers(stored?.headers ?? {})
        .send(stored?.status === 304 ? undefined : stored?.body);
    });
  }
  return app.listen({ port: 0, host: '127.0.0.1' });
}

function listenNode(): Promise<string> {
  const server = createServer((asked, response) => {
    const stored = responseFor(asked.headers['x-example']);
    response.writeHead(stored?.status ?? 404, {
      ...stored?.headers,
      ...(stored?.status !== 304 && { 'content-length': stored?.body.length }),
    });
    response.end(stored?.status === 304 ? undefined : stored?.body);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
    });
  });
}

process.stdout.write(`${await (kind === 'fastify' ? listenFastify() : listenNode())}\n`);
