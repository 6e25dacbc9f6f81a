import type { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import { WebVitalsResponse } from '#server/ops/ops-schemas.ts';
import { ProblemResponse } from '#server/routes/api/api-schemas.ts';
import { summariseWebVitals } from './web-vitals-summary.ts';

/** What readers' browsers measured, summed up. */
export function webVitalsSummaryRoutes(app: FastifyInstance, { registry }: { registry: Registry }): void {
  app.get(
    '/readers',
    {
      schema: {
        summary: 'What a sample of readers measured since the start, by page: the 75th percentile of each',
        response: { 200: WebVitalsResponse, '4xx': ProblemResponse, '5xx': ProblemResponse },
      },
    },
    () => summariseWebVitals(registry),
  );
}
