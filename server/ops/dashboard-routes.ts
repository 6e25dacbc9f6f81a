import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { SiteError } from '#shared/site-error.ts';

/** The cockpit's scripts, styles and letters: the same for everyone, nothing of the site is in them. */
export const DASHBOARD_FILES = '/assets/*';

/** The cockpit as it was built: one document and hashed files, compressed at build. Without a build, 404. */
export async function dashboardRoutes(
  app: FastifyInstance,
  { page, dir }: { page: string | null; dir: string },
): Promise<void> {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => {
    if (page === null) throw new SiteError('not-found', 'The cockpit is not built: npm run build');
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

/** The cockpit's document, or null where it is not built. It is also what a browser without a token gets. */
export async function dashboardPage(dir: string): Promise<string | null> {
  return readFile(join(dir, 'index.html'), 'utf8').catch(() => null);
}
