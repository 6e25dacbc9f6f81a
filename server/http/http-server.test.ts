import { expect, it } from 'vitest';
import { createHttpServer } from './http-server.ts';

const guard = { attach: () => undefined };
const listener = () => undefined;

it('closes no connection before a response may have begun: its reader gets a 503', () => {
  expect(createHttpServer(guard, listener, 70_000).timeout).toBeGreaterThan(70_000);
});

it('closes a connection that is silent for ten seconds where responses are faster', () => {
  expect(createHttpServer(guard, listener, 3_000).timeout).toBe(10_000);
});
