import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { SharedAssets } from '#server/render/shared-assets.ts';

const PREFIX = '/assets/';

export interface AssetRoutesOptions {
  /** The folder of the built client; null in development, where Vite serves it. */
  clientDir: string | null;
  /** The hashed files of other builds; null where they are not shared. */
  sharedAssets: Pick<SharedAssets, 'folderOf'> | null;
}

/** Serves the built client, compressed at build: hashed files are immutable, the few fixed names last an hour. */
export async function assetRoutes(
  app: FastifyInstance,
  { clientDir, sharedAssets }: AssetRoutesOptions,
): Promise<void> {
  if (clientDir === null) return;
  const ownFolder = join(clientDir, 'assets');
  const ownFiles = new Set(await readdir(ownFolder));
  // The library calls its ETag weak. Each encoding is a file of its own, and none changes once it is built.
  app.addHook('onSend', async (_request, reply) => {
    const etag = reply.getHeader('etag');
    if (typeof etag === 'string') reply.header('etag', etag.replace(/^W\//, ''));
  });
  if (sharedAssets !== null) {
    app.addHook('preHandler', async (request, reply) => {
      const [path = ''] = request.url.split('?', 1);
      const name = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
      if (name === '' || ownFiles.has(name)) return;
      const folder = await sharedAssets.folderOf(name);
      if (folder !== null) return reply.sendFile(name, folder);
    });
  }
  await app.register(fastifyStatic, {
    root: ownFolder,
    prefix: PREFIX,
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
