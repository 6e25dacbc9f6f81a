import { createContext, useContext } from 'react';

/**
 * What a form post without scripts is answered with: the page again, with what was typed and what was wrong.
 * It belongs to one answer alone; such a page is never kept.
 */
export interface FormEcho {
  values: Record<string, string>;
  errors: Record<string, string>;
  /** The newsletter's answer. */
  message: string | null;
}

export const NO_ECHO: FormEcho = { values: {}, errors: {}, message: null };

const context = createContext<FormEcho>(NO_ECHO);

export const FormEchoProvider = context.Provider;

export function useFormEcho(): FormEcho {
  return useContext(context);
}
