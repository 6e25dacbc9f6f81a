import { useQuery } from '@tanstack/react-query';
import { useOps } from '#client/dashboard/ops-context.ts';
import { type Live, metricsStreamQuery, type NamedResource, NOT_CONNECTED } from './metrics-stream.ts';

/** Returns the state of the metrics stream, which is open while something shows it. */
export function useLive(): Live {
  const { data = NOT_CONNECTED } = useQuery(metricsStreamQuery(useOps().live));
  return data;
}

const NO_RESOURCES: readonly NamedResource[] = [];

const namedResources = ({ metrics }: Live): readonly NamedResource[] =>
  Object.entries(metrics?.resources ?? {}).map(([name, resource]) => ({ ...resource, name }));

/** Returns the resources of the latest metrics. One whose metrics have not changed is the same object as before. */
export function useLiveResources(): readonly NamedResource[] {
  const { data = NO_RESOURCES } = useQuery({
    ...metricsStreamQuery(useOps().live),
    select: namedResources,
  });
  return data;
}
