import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { SharedAssets } from '#server/render/shared-assets.ts';

export interface AssetRoutesOptions {
  /** The folder of the built client; null in development, where Vite serves it. */
  clientDir: string | null;
  /** The hashed files of all builds; null where they are not shared. */
  sharedAssets: Pick<SharedAssets, 'folder'> | null;
}

/** Serves the built client, compressed at build: hashed files are immutable, the few fixed names last an hour. */
export async function assetRoutes(
  app: FastifyInstance,
  { clientDir, sharedAssets }: AssetRoutesOptions,
): Promise<void> {
  if (clientDir === null) return;
  const ownFolder = join(clientDir, 'assets');
  // The library calls its ETag weak. Each encoding is a file of its own, and none changes once it is built.
  app.addHook('onSend', async (_request, reply) => {
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
