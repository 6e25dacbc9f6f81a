import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { answerFirst } from './answer-first.ts';

let app: FastifyInstance;

/** An app whose routes say that they answered, before it one who answers `/known` itself. */
async function listen(beforeClose = async (_origin: string): Promise<void> => undefined): Promise<string> {
  app = Fastify({ return503OnClosing: false });
  answerFirst(app, (request, response) => {
    if (request.url !== '/known') return false;
    response.end('before');
    return true;
  });
  app.addHook('preClose', () => beforeClose(origin));
  app.get('/*', async () => 'routed');
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return origin;
}

const textOf = async (url: string) => (await fetch(url)).text();

afterEach(() => app.close());

describe('a request', () => {
  it('is answered before Fastify, or by its routes', async () => {
    const origin = await listen();
    expect(await textOf(`${origin}/known`)).toBe('before');
    expect(await textOf(`${origin}/other`)).toBe('routed');
  });

  it('is for Fastify while the app closes, which ends its connection', async () => {
    const seen: string[] = [];
    await listen(async (origin) => {
      const answer = await fetch(`${origin}/known`);
      seen.push(await answer.text(), String(answer.headers.get('connection')));
    });
    await app.close();
    expect(seen).toEqual(['routed', 'close']);
  });
});
