import type { FastifyInstance } from 'fastify';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { PolicyChange } from '#server/cache/policies.ts';
import * as schemas from '#shared/models/ops/ops-schemas.ts';
import { byResource, type Resource } from '#shared/models/resources.ts';
import type { AuditLog } from './audit-log.ts';
import { findResource } from './find-resource.ts';
import type { Instances } from './instances/instances.ts';
import { parseRequest, problems } from './ops-responses.ts';
import type { PolicyStore } from './policy-store.ts';
import type { PurgeDeps } from './purge-request.ts';

export interface PolicyRoutesDeps {
  cache: Pick<ContentCache, 'policies'>;
  policyStore: PolicyStore;
  cdn: PurgeDeps['cdn'];
  auditLog: AuditLog;
  instances: Pick<Instances, 'reached'>;
}

/**
 * What a CDN keeps was given its ages by the policies and the mode of before. The instance that an operator told purges
 * it, not each that hears of it, at its start or when Redis is back.
 */
const EVERYTHING = { all: true };

/** Serves the policies (TTL, SWR, SIE), and changes them while the site runs. */
export function policyRoutes(
  app: FastifyInstance,
  { cache, policyStore, cdn, auditLog, instances }: PolicyRoutesDeps,
): void {
  const { policies } = cache;

  function policyResponse(resource: Resource) {
    const changed = policies.changes()[resource] !== undefined;
    return { ...policies.get(resource), configured: policies.configured(resource), changed };
  }

  async function changedPolicyResponse(resource: Resource) {
    const [persisted, reach] = await Promise.all([policyStore.save(), instances.reached()]);
    return { ...policyResponse(resource), persisted, ...reach };
  }

  app.get(
    '/cache/policies',
    {
      schema: {
        summary: 'The policies in force beside the configured ones, in seconds',
        response: { 200: schemas.PoliciesResponse, ...problems },
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
        response: { 200: schemas.ChangedPolicyResponse, ...problems },
      },
    },
    async (request) => {
      const resource = resourceOf(request.params);
      const change = parseRequest(PolicyChange, request.body);
      const before = policies.get(resource);
      const after = policies.set(resource, change);
      cdn?.purge(EVERYTHING);
      await auditLog.record(request, { what: `policy of ${resource}`, before, after });
      return changedPolicyResponse(resource);
    },
  );

  app.delete(
    '/cache/policies/:resource',
    {
      schema: {
        summary: 'Resets a policy to the configured one',
        params: schemas.ResourceParams,
        response: { 200: schemas.ChangedPolicyResponse, ...problems },
      },
    },
    async (request) => {
      const resource = resourceOf(request.params);
      const before = policies.get(resource);
      const after = policies.reset(resource);
      cdn?.purge(EVERYTHING);
      await auditLog.record(request, { what: `policy of ${resource}`, before, after });
      return changedPolicyResponse(resource);
    },
  );
}

function resourceOf(params: unknown): Resource {
  return findResource(parseRequest(schemas.ResourceParams, params).resource);
}
