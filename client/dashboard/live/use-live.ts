import { useQuery } from '@tanstack/react-query';
import { useOps } from '#client/dashboard/ops-context.ts';
import { type Live, metricsStreamQuery, NOT_CONNECTED } from './metrics-stream.ts';

/** Returns the state of the metrics stream, which is open while something shows it. */
export function useLive(): Live {
  const { data = NOT_CONNECTED } = useQuery(metricsStreamQuery(useOps().live));
  return data;
}
