import { useQuery } from '@tanstack/react-query';
import { ops, SESSION_PATH } from './ops-api.ts';

/** Returns what the listener says of the token. An `UnauthorizedError`: it wants one, or another one. */
export function useSession() {
  return useQuery({ queryKey: [SESSION_PATH], queryFn: ops.session });
}

/** Returns whether the token may read and change nothing. False until the listener has said so: it decides. */
export function useReadOnly(): boolean {
  return useSession().data?.role === 'reader';
}
