import type { FastifyInstance } from 'fastify';
import { PolicyChange } from '#server/cache/policies.ts';
import { byResource, type Resource } from '#server/cache/resources.ts';
import type { AuditLog } from './audit-log.ts';
import { type ExplainDeps, explainPage, targetOf } from './explain-page.ts';
import { findResource } from './find-resource.ts';
import { parseRequest } from './ops-responses.ts';
import * as schemas from './ops-schemas.ts';
import type { PolicyStore } from './policy-store.ts';
import { type PurgeDeps, purgeCaches } from './purge-request.ts';

export interface CacheRoutesDeps extends Omit<ExplainDeps, 'canonicalUrl'> {
  bundle: () => Promise<Pick<ExplainDeps, 'canonicalUrl'>>;
  policyStore: PolicyStore;
  cdn: PurgeDeps['cdn'];
  pageQueries: PurgeDeps['pageQueries'];
  log: AuditLog;
}

/**
 * What a CDN keeps was given its ages by the policies and the mode of before. The instance that an operator told purges
 * it, not each that hears of it, at its start or when Redis is back.
 */
const EVERYTHING = { all: true };
/** The page of every path without one. */
const NOT_FOUND = '/404';

/** Serves the state of the cache, and changes it: policies, purges and modes. */
export function cacheRoutes(app: FastifyInstance, deps: CacheRoutesDeps): void {
  const { cache, responses, origin, bundle, log, cdn, pageQueries } = deps;

  app.get(
    '/cache',
    {
      schema: {
        summary: 'Counts, sizes and policies of the cache by resource',
        response: { 200: schemas.CacheResponse, ...schemas.problems },
      },
    },
    async () => ({ ...cache.stats(), pages: { entries: responses.entries, bytes: responses.bytes } }),
  );

  app.post(
    '/cache/purge',
    {
      schema: {
        summary:
          'Purges by tag or page, or everything; soft: serves each entry once more while it is refreshed',
        body: schemas.PurgeBody,
        response: { 200: schemas.PurgeResponse, ...schemas.problems },
      },
    },
    async (request) => {
      const purge = parseRequest(schemas.PurgeBody, request.body);
      const { canonicalUrl } = await bundle();
      const urlOf = (path: string) => {
        const { url } = canonicalUrl(targetOf(path, origin));
        return url === NOT_FOUND && path !== NOT_FOUND ? null : url;
      };
      const after = await purgeCaches(purge, { cache, responses, urlOf, pageQueries, cdn });
      log(request, { what: 'purge', asked: purge, after });
      return after;
    },
  );

  app.get(
    '/cache/explain',
    {
      schema: {
        summary: 'The state of a page and of the upstream responses it is built from',
        querystring: schemas.ExplainQuery,
        response: { 200: schemas.ExplainResponse, ...schemas.problems },
      },
    },
    async (request) => {
      const { url } = parseRequest(schemas.ExplainQuery, request.query);
      const { canonicalUrl } = await bundle();
      return explainPage(url, { cache, responses, origin, canonicalUrl });
    },
  );

  app.get(
    '/cache/mode',
    {
      schema: { summary: 'The mode in force', response: { 200: schemas.ModeResponse, ...schemas.problems } },
    },
    async () => cache.mode.current(),
  );

  app.patch(
    '/cache/mode',
    {
      schema: {
        summary: 'Freezes or bypasses the cache, or multiplies its TTLs, for a limited time',
        body: schemas.ModeBody,
        response: { 200: schemas.ModeResponse, ...schemas.problems },
      },
    },
    async (request) => {
      const change = parseRequest(schemas.ModeBody, request.body);
      const before = cache.mode.current();
      const after = cache.mode.set(change);
      cdn?.purge(EVERYTHING);
      log(request, { what: 'cache mode', before, after });
      return after;
    },
  );

  policyRoutes(app, deps);
}

function policyRoutes(app: FastifyInstance, { cache, policyStore, cdn, log }: CacheRoutesDeps): void {
  const { policies } = cache;

  function policyResponse(resource: Resource) {
    const changed = policies.changes()[resource] !== undefined;
    return { ...policies.get(resource), configured: policies.configured(resource), changed };
  }

  app.get(
    '/cache/policies',
    {
      schema: {
        summary: 'The policies in force beside the configured ones, in seconds',
        response: { 200: schemas.PoliciesResponse, ...schemas.problems },
      },
    },
    async () => byResource(policyResponse),
  );

  app.patch(
    '/cache/policies/:resource',
    {
      schema: {
        summary: 'Changes a policy, at once and also for what is cached',
        params: schemas.ResourceParams,
        body: PolicyChange,
        response: { 200: schemas.ChangedPolicyResponse, ...schemas.problems },
      },
    },
    async (request) => {
      const resource = resourceOf(request.params);
      const change = parseRequest(PolicyChange, request.body);
      const before = policies.get(resource);
      const after = policies.set(resource, change);
      cdn?.purge(EVERYTHING);
      log(request, { what: `policy of ${resource}`, before, after });
      return { ...policyResponse(resource), persisted: await policyStore.save() };
    },
  );

  app.delete(
    '/cache/policies/:resource',
    {
      schema: {
        summary: 'Resets a policy to the configured one',
        params: schemas.ResourceParams,
        response: { 200: schemas.ChangedPolicyResponse, ...schemas.problems },
      },
    },
    async (request) => {
      const resource = resourceOf(request.params);
      const before = policies.get(resource);
      const after = policies.reset(resource);
      cdn?.purge(EVERYTHING);
      log(request, { what: `policy of ${resource}`, before, after });
      return { ...policyResponse(resource), persisted: await policyStore.save() };
    },
  );
}

function resourceOf(params: unknown): Resource {
  return findResource(parseRequest(schemas.ResourceParams, params).resource);
}
