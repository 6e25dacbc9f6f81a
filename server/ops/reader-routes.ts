import type { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import { ProblemAnswer } from '#server/routes/api-schemas.ts';
import { ReadersAnswer } from './ops-schemas.ts';
import { readReaders } from './reader-figures.ts';

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
