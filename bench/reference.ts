import Fastify from 'fastify';
import { request } from 'undici';

/** The reference: a bare Fastify that sends the same bytes, headers and all, for each encoding. */
const source = process.argv[2];
if (!source) throw new Error('the origin to copy answers from is missing');

/** Node writes these itself. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']);

const app = Fastify();

for (const path of process.argv.slice(3)) {
  const bodies = new Map<string, { body: Buffer; headers: Record<string, string> }>();
  for (const encoding of ['br', 'identity']) bodies.set(encoding, await copy(path, encoding));
  app.get(path, ({ headers }, reply) => {
    const answer = bodies.get(headers['accept-encoding'] === 'br' ? 'br' : 'identity');
    return reply.headers(answer?.headers ?? {}).send(answer?.body);
  });
}

/** The bytes as they are on the wire, headers and all: a fetch that decodes would send others. */
async function copy(
  path: string,
  encoding: string,
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const { body, headers } = await request(source + path, { headers: { 'accept-encoding': encoding } });
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  return {
    body: Buffer.from(await body.arrayBuffer()),
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
  };
}

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
