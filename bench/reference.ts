import { createServer } from 'node:http';
import Fastify from 'fastify';
import { request } from 'undici';
import { WARM_RESPONSES, type WarmResponse } from './warm-responses.ts';

/**
 * The reference: a bare server that sends the same bytes, headers and all, for every answer of the list. `fastify` or
 * `node:http`, the origin to copy from, and the article's path are its arguments.
 */
const [kind, source = '', article = ''] = process.argv.slice(2);

/** Node writes these itself. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']);

interface Copy {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The bytes as they are on the wire, headers and all: a fetch that decodes would send others. */
async function copy(answer: WarmResponse): Promise<Copy> {
  const asked = await answer.headers(source, article);
  const { statusCode, body, headers } = await request(source + answer.path(article), { headers: asked });
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  return {
    status: statusCode,
    body: Buffer.from(await body.arrayBuffer()),
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
  };
}

const copies = new Map<string, Copy>();
for (const answer of WARM_RESPONSES) copies.set(answer.name, await copy(answer));

/** What a request is an example of is said in its own header: the reference has nothing to find out. */
const copyFor = (name: string | string[] | undefined) => copies.get(String(name));

async function listenFastify(): Promise<string> {
  const app = Fastify();
  for (const path of new Set(WARM_RESPONSES.map((answer) => answer.path(article)))) {
    app.get(path, (asked, reply) => {
      const answer = copyFor(asked.headers['x-example']);
      return reply
        .code(answer?.status ?? 404)
        .headers(answer?.headers ?? {})
        .send(answer?.status === 304 ? undefined : answer?.body);
    });
  }
  return app.listen({ port: 0, host: '127.0.0.1' });
}

function listenNode(): Promise<string> {
  const server = createServer((asked, response) => {
    const answer = copyFor(asked.headers['x-example']);
    response.writeHead(answer?.status ?? 404, {
      ...answer?.headers,
      ...(answer?.status !== 304 && { 'content-length': answer?.body.length }),
    });
    response.end(answer?.status === 304 ? undefined : answer?.body);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
    });
  });
}

process.stdout.write(`${await (kind === 'fastify' ? listenFastify() : listenNode())}\n`);
