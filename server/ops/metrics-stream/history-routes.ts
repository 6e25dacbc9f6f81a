import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '#server/ops/audit-log.ts';
import { parseRequest, problems } from '#server/ops/ops-responses.ts';
import type { MetricsEvent } from '#shared/models/metrics.ts';
import { HistoryQuery, HistoryResponse } from '#shared/models/ops/ops-schemas.ts';
import type { MetricsStream } from './metrics-stream.ts';

const MAX_EVENTS = 400;
const MINUTE_MS = 60_000;

export interface HistoryRoutesOptions {
  history: MetricsStream['history'];
  auditLog: Pick<AuditLog, 'entries'>;
  /** Milliseconds since 1970. */
  wallClock: () => number;
}

/** Serves the metrics of up to a day, and what happened meanwhile: changes of operators, circuit breaker, start. */
export async function historyRoutes(
  app: FastifyInstance,
  { history, auditLog, wallClock }: HistoryRoutesOptions,
): Promise<void> {
  async function eventsSince(since: string): Promise<MetricsEvent[]> {
    const changes = (await auditLog.entries()).map(({ at, what }) => ({
      at,
      kind: 'change' as const,
      text: what,
    }));
    return [...history.events(), ...changes]
      .filter(({ at }) => at >= since)
      .sort((one, other) => (one.at < other.at ? -1 : 1))
      .slice(-MAX_EVENTS);
  }

  app.get(
    '/history',
    {
      schema: {
        summary: 'Points of the plots, and what happened meanwhile',
        querystring: HistoryQuery,
        response: { 200: HistoryResponse, ...problems },
      },
    },
    async (request) => {
      const { minutes } = parseRequest(HistoryQuery, request.query);
      const since = new Date(wallClock() - minutes * MINUTE_MS).toISOString();
      return {
        points: [...history.points(minutes)],
        events: await eventsSince(since),
        hitRatios: history.hitRatios(),
      };
    },
  );
}
