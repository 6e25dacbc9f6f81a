import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

export interface AssetRoutesDeps {
  clientDir: string;
  /** Folders with the hashed files of earlier builds, for tabs that were opened before a deploy. */
  earlier: readonly string[];
}

/** The built client: hashed files forever, the few files with fixed names for an hour. All compressed at build. */
export async function assetRoutes(
  app: FastifyInstance,
  { clientDir, earlier }: AssetRoutesDeps,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: [join(clientDir, 'assets'), ...earlier],
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
