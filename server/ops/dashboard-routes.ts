import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { SiteError } from '#shared/site-error.ts';

/** Scripts, styles and fonts of the dashboard. They hold nothing of the site, so that they need no token. */
export const DASHBOARD_FILES = '/assets/*';

/** Serves the built dashboard: one document and hashed files, compressed at build time. Without a build, 404. */
export async function dashboardRoutes(
  app: FastifyInstance,
  { page, dir }: { page: string | null; dir: string },
): Promise<void> {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => {
    if (page === null) throw new SiteError('not-found', 'The dashboard is not built: npm run build');
    return reply.type('text/html; charset=utf-8').send(page);
  });
  if (page === null) return;
  await app.register(fastifyStatic, {
    root: join(dir, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  });
}

/** Reads the dashboard's document; null where it is not built. A browser without a token gets it too, with status 401. */
export async function dashboardPage(dir: string): Promise<string | null> {
  return readFile(join(dir, 'index.html'), 'utf8').catch(() => null);
}
