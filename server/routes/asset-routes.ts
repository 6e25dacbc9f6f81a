import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

export interface AssetRoutesOptions {
  /** The folder of the built client; null in development, where Vite serves it. */
  clientDir: string | null;
  /** Folders with the hashed files of previous builds, for tabs that were opened before a deploy. */
  previousAssets: readonly string[];
}

/** Serves the built client, compressed at build: hashed files are immutable, the few fixed names last an hour. */
export async function assetRoutes(
  app: FastifyInstance,
  { clientDir, previousAssets }: AssetRoutesOptions,
): Promise<void> {
  if (clientDir === null) return;
  await app.register(fastifyStatic, {
    root: [join(clientDir, 'assets'), ...previousAssets],
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
