import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { OutboxUnavailable } from '#server/errors.ts';
import { sendOpsError } from './ops-responses.ts';

it.each([
  ['a fault of the site', 500, new Error('unknown'), ['request failed']],
  ['an outbox that is not available', 503, new OutboxUnavailable(new Error('Redis is away')), []],
])('%s is a %i with the log lines of a fault only where it is one', async (_what, status, error, lines) => {
  const logged: unknown[] = [];
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      const { level, msg } = JSON.parse(line.toString());
      if (level >= 50) logged.push(msg);
      done();
    },
  });
  const app = Fastify({ logger: { stream } });
  app.setErrorHandler(sendOpsError);
  app.get('/', async () => {
    throw error;
  });
  const response = await app.inject('/');
  expect(response.statusCode).toBe(status);
  expect(logged).toEqual(lines);
});
