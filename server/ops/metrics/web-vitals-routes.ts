import type { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import { ReadersAnswer } from '#server/ops/ops-schemas.ts';
import { ProblemAnswer } from '#server/routes/api/api-schemas.ts';
import { readReaders } from './web-vitals-summary.ts';

/** What readers' browsers measured, summed up. */
export function readerRoutes(app: FastifyInstance, { registry }: { registry: Registry }): void {
  app.get(
    '/readers',
    {
      schema: {
        summary: 'What a sample of readers measured since the start, by page: the 75th percentile of each',
        response: { 200: ReadersAnswer, '4xx': ProblemAnswer, '5xx': ProblemAnswer },
      },
    },
    () => readReaders(registry),
  );
}
