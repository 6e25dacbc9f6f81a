import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { OpsApi } from './api/ops-api.ts';

export const OpsContext = createContext<OpsApi | null>(null);

/** Returns the client of the operators' listener. */
export function useOps(): OpsApi {
  const ops = use(OpsContext);
  if (!ops) throw new Error('rendered outside OpsContext');
  return ops;
}

/** Forgets the token. Null: the listener wants none. */
export const SignOutContext = createContext<(() => void) | null>(null);

/** Returns whether the token may read and change nothing. False until the listener has said so: it decides. */
export function useReadOnly(): boolean {
  const { data } = useQuery({ queryKey: ['session'], queryFn: useOps().session });
  return data?.role === 'reader';
}
