import { useQuery } from '@tanstack/react-query';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { useLive } from '#client/dashboard/samples/use-samples.ts';
import type { Change } from '#shared/models/ops/ops-api-types.ts';

/** Returns the changes of operators, newest first, again whenever there is another one. */
export function useChanges(): { changes: readonly Change[]; error: Error | null } {
  const lastChange = useLive(({ samples }) => samples.at(-1)?.state.lastChange ?? null);
  const { data, error } = useQuery({
    queryKey: ['changes', lastChange],
    queryFn: ops.changes,
    placeholderData: (before) => before,
  });
  return { changes: data?.changes ?? [], error };
}
