import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { BadRequest } from '#server/errors.ts';
import type { RouteRateLimit } from '#server/http/rate-limit/rate-limit.ts';
import { isPageRoute } from '#server/ops/metrics/route-label.ts';
import type { WebVitals } from '#shared/models/web-vitals.ts';
import { emptyResponse, problems } from './api/api-operation.ts';
import type { ApiTag } from './api/openapi.ts';
import { checkCsrf } from './csrf-check.ts';

/** Longer than any reader waits: what is above is a broken clock. */
const MS = z.number().min(0).max(600_000).nullable();

export const WebVitalsBody = z.object({
  route: z.string().max(50),
  width: z.enum(['narrow', 'wide']),
  lcp: MS,
  inp: MS,
  cls: z.number().min(0).max(100),
  failedChunks: z.int().min(0).max(100),
}) satisfies z.ZodType<WebVitals>;

const BODY_LIMIT = 1024;

export interface WebVitalsRoutesDeps {
  observeWebVitals: (vitals: WebVitals) => void;
  publicOrigin: string;
  rateLimit: RouteRateLimit;
}

/** What readers' browsers measured, for the operators' histograms alone: nothing of it is kept. */
export async function webVitalsRoutes(app: FastifyInstance, deps: WebVitalsRoutesDeps): Promise<void> {
  await app.register(async (vitals) => {
    checkCsrf(vitals, deps.publicOrigin);
    const schema = {
      operationId: 'reportVitals',
      tags: ['measurements'] satisfies ApiTag[],
      summary: 'Reports what a reader’s browser measured on one document',
      description: 'Nothing of it is kept but its count in the operators’ histograms.',
      body: WebVitalsBody,
      response: {
        204: emptyResponse('It counts in the operators’ histograms'),
        ...problems([400, 403, 413, 415, 429, 500]),
      },
    };
    const options = { schema, bodyLimit: BODY_LIMIT, config: { rateLimit: deps.rateLimit } };
    vitals.post('/api/vitals', options, async (request, reply) => {
      const { success, data } = WebVitalsBody.safeParse(request.body);
      if (!success || !isPageRoute(data.route)) throw new BadRequest('These are no measurements of a page.');
      deps.observeWebVitals(data);
      return reply.code(204).header('cache-control', 'no-store').send();
    });
  });
}
