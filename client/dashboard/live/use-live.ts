import { useQuery } from '@tanstack/react-query';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Live, metricsStreamQuery, NOT_CONNECTED } from './metrics-stream.ts';

/**
 * Returns a part of the state of the metrics stream, which is open while something shows it. What has not changed is the
 * same object as before, and nothing is rendered again for it.
 */
export function useLive<Part>(select: (live: Live) => Part): Part {
  const { data } = useQuery({ ...metricsStreamQuery(ops.live), select });
  return data ?? select(NOT_CONNECTED);
}
