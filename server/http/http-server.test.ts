import { expect, it } from 'vitest';
import { RENDER_TIMEOUT_MS } from '#server/render/render-thread.ts';
import { createHttpServer } from './http-server.ts';

it('keeps a connection longer than a render may take: the reader of a page that hangs gets a 503', () => {
  const server = createHttpServer({ attach: () => undefined }, () => undefined);
  expect(server.timeout).toBeGreaterThan(RENDER_TIMEOUT_MS);
});
