import { createContext, useContext } from 'react';
import { useLocation } from 'react-router';

/**
 * What a form post without scripts is answered with: the page again, with what was typed and what was wrong.
 * It belongs to one answer alone; such a page is never kept.
 */
export interface FormEcho {
  /** The form's own address, which tells forms of one page apart. */
  action: string;
  /** The page that the form stands on. */
  page: string;
  values: Record<string, string>;
  errors: Record<string, string>;
  /** The newsletter's answer. */
  message: string | null;
}

export const NO_ECHO: FormEcho = { action: '', page: '', values: {}, errors: {}, message: null };

const context = createContext<FormEcho>(NO_ECHO);

export const FormEchoProvider = context.Provider;

/** The router's key of the document's own location: navigations have others. */
const DOCUMENT_KEY = 'default';

/** The echo for the form that posts to `action`; an empty one for every other form, and after a navigation. */
export function useFormEcho(action: string | null): FormEcho {
  const echo = useContext(context);
  const { key } = useLocation();
  return echo.action === action && key === DOCUMENT_KEY ? echo : NO_ECHO;
}
