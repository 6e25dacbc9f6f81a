import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseRequest } from '#server/http/route-schemas.ts';
import * as schemas from '#shared/models/ops/ops-schemas.ts';
import type { ChangeLog } from './change-log.ts';
import { type ExplainDeps, explainPage } from './explain-page.ts';
import { documented } from './ops-responses.ts';
import { type PurgeDeps, previewPurge, purgeCaches } from './purge-request.ts';

export interface CacheRoutesDeps extends ExplainDeps, PurgeDeps {
  changeLog: ChangeLog;
}

/** Serves the state of the cache, and changes it: purges and modes. */
export async function cacheRoutes(app: FastifyInstance, deps: CacheRoutesDeps): Promise<void> {
  const { cache, responses, changeLog, cdn } = deps;

  app.get(
    '/cache',
    documented('Counts, sizes and policies of the cache by resource', { 200: schemas.CacheResponse }),
    async () => ({ ...cache.stats(), pages: { entries: responses.entries, bytes: responses.bytes } }),
  );

  app.post(
    '/cache/purge',
    documented(
      'Purges by tag or page, or everything; soft: serves each entry once more while it is refreshed; dryRun: purges nothing and says what it would',
      { 200: z.union([schemas.PurgeResponse, schemas.PurgePreview]), body: schemas.PurgeBody },
    ),
    async (request) => {
      const purge = parseRequest(schemas.PurgeBody, request.body);
      if (purge.dryRun) return previewPurge(purge, deps);
      const after = await purgeCaches(purge, deps);
      changeLog.record(request, { what: 'purge', asked: purge, after: { entries: after.purged } });
      return after;
    },
  );

  app.get(
    '/cache/explain',
    documented(
      'The state of a page, an API call or a feed, and of the upstream responses it is built from; or of a key of these',
      { 200: schemas.ExplainResponse, querystring: schemas.ExplainQuery },
    ),
    async (request) => {
      const { url } = parseRequest(schemas.ExplainQuery, request.query);
      return explainPage(url, deps);
    },
  );

  app.get('/cache/mode', documented('The mode in force', { 200: schemas.ModeResponse }), async () =>
    cache.mode.current(),
  );

  app.patch(
    '/cache/mode',
    documented('Freezes or bypasses the cache, or multiplies its TTLs, for a limited time', {
      200: schemas.ModeResponse,
      body: schemas.ModeBody,
    }),
    async (request) => {
      const change = parseRequest(schemas.ModeBody, request.body);
      const before = cache.mode.current();
      const after = cache.mode.set(change);
      // What a CDN keeps was given its ages by the mode of before.
      cdn?.purge({ all: true });
      changeLog.record(request, {
        what: 'cache mode',
        before,
        after,
        undo: { method: 'PATCH', path: '/cache/mode', body: modeBodyOf(before) },
      });
      return after;
    },
  );
}

/** Returns the request for a mode. What is left of its time is at least a second. */
function modeBodyOf({ mode, ttlFactor, endsInSeconds }: z.infer<typeof schemas.ModeResponse>) {
  return { mode, ttlFactor, ...(endsInSeconds !== null && { forSeconds: Math.max(1, endsInSeconds) }) };
}
