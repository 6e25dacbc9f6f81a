import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { DeliveryFailed } from '#server/errors.ts';
import { defaultSite } from '#shared/site.ts';
import { SiteError } from '#shared/site-error.ts';
import { errorHandler } from './error-handler.ts';
import { createErrorPage } from './error-page.ts';

it('logs a stream that its client gave up at debug level, and any other failure at error level', async () => {
  const levels: number[] = [];
  const stream = {
    write(line: string) {
      const { msg, level }: { msg: string; level: number } = JSON.parse(line);
      if (msg === 'request failed') levels.push(level);
    },
  };
  const app = Fastify({ logger: { level: 'debug', stream } });
  await app.register(errorHandler, {
    errorPage: createErrorPage(
      () => '',
      () => defaultSite,
    ),
  });
  app.get('/', ({ query, socket }) => {
    if (Object.hasOwn(Object(query), 'gone')) socket.destroy();
    throw Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));

  const client = connect(Number(port), '127.0.0.1');
  client.write('GET /?gone HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(client, 'close');
  expect(levels).toEqual([20]);

  await app.inject('/');
  expect(levels).toEqual([20, 50]);
  await app.close();
});

it('logs a failure of the upstream as a warning, without a stack', async () => {
  const lines: { msg: string; level: number; err?: unknown; detail?: string }[] = [];
  const app = Fastify({
    logger: { level: 'warn', stream: { write: (line) => lines.push(JSON.parse(line)) } },
  });
  await app.register(errorHandler, {
    errorPage: createErrorPage(
      () => '',
      () => defaultSite,
    ),
  });
  app.get('/site-error', () => {
    throw new SiteError('unavailable', 'This page could not be loaded.');
  });
  app.get('/delivery', () => {
    throw new DeliveryFailed();
  });
  app.get('/ours', () => {
    throw new Error('a bug');
  });
  for (const path of ['/site-error', '/delivery', '/ours']) await app.inject(path);
  expect(lines.map(({ level, err }) => [level, err !== undefined])).toEqual([
    [40, false],
    [40, false],
    [50, true],
  ]);
  expect(lines[0]?.detail).toBe('This page could not be loaded.');
});
