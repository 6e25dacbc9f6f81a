import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Services } from '#server/service-types.ts';

/** That of no file. */
const NO_ETAG = '""';

/** Serves the built client, compressed at build: hashed files are immutable, the few fixed names last an hour. */
export async function assetRoutes(
  app: FastifyInstance,
  { clientDir, sharedAssets }: Pick<Services, 'clientDir' | 'sharedAssets'>,
): Promise<void> {
  if (clientDir === null) return;
  const ownFolder = join(clientDir, 'assets');
  // The library compares ETags weakly for `If-Match`, and the date as well (RFC 9110, 13.1.1 and 13.2.2).
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    // `no-cache` is for caches (RFC 9111, 5.2.1.4): with it the library would ignore `If-None-Match`, as `fetch` of Node sends it.
    delete headers['cache-control'];
    // Its own ETag is weak where ours is strong: no other may match (RFC 9110, 13.1.5).
    const ifRange = headers['if-range'];
    if (typeof ifRange === 'string' && ifRange.includes('"'))
      headers['if-range'] = ifRange.startsWith('W/') ? NO_ETAG : `W/${ifRange}`;
    const ifMatch = headers['if-match'];
    if (ifMatch === undefined) return;
    const strong = ifMatch.split(',').filter((tag) => !tag.trim().startsWith('W/'));
    headers['if-match'] = strong.join(',') || NO_ETAG;
    delete headers['if-unmodified-since'];
  });
  app.addHook('onSend', async (_request, reply) => {
    // The library has the media type from before RFC 9239.
    const type = reply.getHeader('content-type');
    if (typeof type === 'string')
      reply.header('content-type', type.replace(/^application\/javascript\b/, 'text/javascript'));
    // It calls its ETag weak. Each encoding is a file of its own, and none changes once it is built.
    const etag = reply.getHeader('etag');
    if (typeof etag === 'string') reply.header('etag', etag.replace(/^W\//, ''));
  });
  await app.register(fastifyStatic, {
    root: sharedAssets === null ? ownFolder : [ownFolder, sharedAssets.folder],
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  });
  const files = await readdir(clientDir, { withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))) {
    app.get(`/${file.name}`, (_request, reply) =>
      reply.sendFile(file.name, clientDir, { maxAge: '1h', immutable: false }),
    );
  }
}

/** In development, lets Vite respond first: it serves the client's sources with hot reload. */
export const viteClient = fp(
  async (app: FastifyInstance, { viteMiddlewares }: Pick<Services, 'viteMiddlewares'>): Promise<void> => {
    if (viteMiddlewares === null) return;
    app.addHook('onRequest', (request, reply, done) => viteMiddlewares(request.raw, reply.raw, () => done()));
  },
  { name: 'vite-client' },
);
