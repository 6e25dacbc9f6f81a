import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { reloadResponses } from '#client/dashboard/api/query-client.ts';

/** A mutation that changes the site: afterwards everything that is shown is loaded again. */
export function useChange<Data, Variables = void>(
  options: Pick<UseMutationOptions<Data, Error, Variables>, 'mutationFn' | 'onSuccess'>,
) {
  const client = useQueryClient();
  return useMutation({ ...options, onSettled: () => reloadResponses(client) });
}
