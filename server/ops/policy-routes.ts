import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { differingAges, PolicyChange } from '#server/cache/policies.ts';
import { parseRequest } from '#server/http/route-schemas.ts';
import * as schemas from '#shared/models/ops/ops-schemas.ts';
import { byResource, type Policy, type Resource } from '#shared/models/resources-and-policies.ts';
import type { ChangeLog } from './change-log.ts';
import { documented, findResource } from './ops-responses.ts';
import type { PolicyStore } from './policy-store.ts';
import type { PurgeDeps } from './purge-request.ts';

export interface PolicyRoutesDeps {
  cache: Pick<ContentCache, 'policies'>;
  policyStore: PolicyStore;
  cdn: PurgeDeps['cdn'];
  changeLog: ChangeLog;
}

/** Serves the policies (TTL, SWR, SIE), and changes them while the site runs. */
export async function policyRoutes(
  app: FastifyInstance,
  { cache, policyStore, cdn, changeLog }: PolicyRoutesDeps,
): Promise<void> {
  const { policies } = cache;

  function policyResponse(resource: Resource) {
    const changed = policies.changes()[resource] !== undefined;
    return { ...policies.get(resource), configured: policies.configured(resource), changed };
  }

  async function changePolicy(request: FastifyRequest, apply: (resource: Resource) => Policy) {
    const resource = findResource(parseRequest(schemas.ResourceParams, request.params).resource);
    const before = policies.get(resource);
    const after = apply(resource);
    // What a CDN keeps was given its ages by the policy of before. The instance that an operator told purges it, not each
    // that hears of it, at its start or when Redis is back.
    cdn?.purge({ all: true });
    // Those alone: another operator may change the rest before somebody takes this back.
    const body = differingAges(before, after);
    changeLog.record(request, {
      what: `policy of ${resource}`,
      before,
      after,
      undo:
        Object.keys(body).length === 0
          ? null
          : { method: 'PATCH', path: `/cache/policies/${resource}`, body },
    });
    return { ...policyResponse(resource), persisted: await policyStore.persisted() };
  }

  app.get(
    '/cache/policies',
    documented('The policies in force beside the configured ones, in seconds', {
      200: schemas.PoliciesResponse,
    }),
    async () => byResource(policyResponse),
  );

  app.patch(
    '/cache/policies/:resource',
    documented('Changes a policy, at once and also for what is cached', {
      200: schemas.ChangedPolicyResponse,
      params: schemas.ResourceParams,
      body: PolicyChange,
    }),
    (request) => {
      const set = (resource: Resource) => policies.set(resource, parseRequest(PolicyChange, request.body));
      return changePolicy(request, set);
    },
  );

  app.delete(
    '/cache/policies/:resource',
    documented('Resets a policy to the configured one', {
      200: schemas.ChangedPolicyResponse,
      params: schemas.ResourceParams,
    }),
    (request) => changePolicy(request, policies.reset),
  );
}
