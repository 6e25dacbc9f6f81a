import { createContext } from 'react';

/** Forgets the token. Null: the listener wants none. */
export const SignOutContext = createContext<(() => void) | null>(null);
