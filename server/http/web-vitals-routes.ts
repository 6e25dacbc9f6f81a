import type { FastifyInstance } from 'fastify';
import { type ApiTag, emptyResponse, problems } from '#server/api/openapi.ts';
import { BadRequest } from '#server/errors.ts';
import type { Services } from '#server/service-types.ts';
import { WebVitals } from '#shared/models/web-vitals.ts';
import * as apiPaths from '#shared/site-api.ts';
import { csrfCheck } from './csrf-check.ts';
import { routeRateLimit } from './rate-limit.ts';

const BODY_LIMIT = 1024;

/** Takes what readers' browsers measured. It goes into the histograms; nothing else of it is stored. */
export async function webVitalsRoutes(
  app: FastifyInstance,
  { config, metrics, pageTable }: Pick<Services, 'config' | 'metrics' | 'pageTable'>,
): Promise<void> {
  await app.register(csrfCheck, { config });
  const schema = {
    operationId: 'reportVitals',
    tags: ['measurements'] satisfies ApiTag[],
    summary: 'Reports what a reader’s browser measured on one document',
    description: 'It is counted in the operators’ histograms. Nothing else of it is stored.',
    body: WebVitals,
    response: {
      204: emptyResponse('It is counted'),
      ...problems([400, 403, 413, 415, 429, 500]),
    },
  };
  const rateLimit = routeRateLimit(config.rateLimit, 'beacon');
  app.post(
    apiPaths.reportWebVitals,
    { schema, bodyLimit: BODY_LIMIT, config: { rateLimit } },
    async (request, reply) => {
      const { success, data } = WebVitals.safeParse(request.body);
      if (!success || !pageTable.hasTemplate(data.route))
        throw new BadRequest('These are no measurements of a page.');
      metrics.observeWebVitals(data);
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  );
}
