import { createContext, use } from 'react';
import type { Session } from './api/ops-responses.ts';

/** What the token may do. Null: not known yet, so that the listener decides. */
export const SessionContext = createContext<Session | null>(null);

/** Returns whether the token may read and change nothing. */
export function useReadOnly(): boolean {
  return use(SessionContext)?.role === 'reader';
}
