import { createContext, useContext } from 'react';

/**
 * What a form post without scripts is answered with: the page again, with what was typed and what was wrong.
 * It belongs to one answer alone; such a page is never kept.
 */
export interface FormEcho {
  /** The form's own address, which tells forms of one page apart. */
  action: string;
  values: Record<string, string>;
  errors: Record<string, string>;
  /** The newsletter's answer. */
  message: string | null;
}

export const NO_ECHO: FormEcho = { action: '', values: {}, errors: {}, message: null };

const context = createContext<FormEcho>(NO_ECHO);

export const FormEchoProvider = context.Provider;

/** The echo for the form that posts to `action`; an empty one for every other form. */
export function useFormEcho(action: string | null): FormEcho {
  const echo = useContext(context);
  return echo.action === action ? echo : NO_ECHO;
}
