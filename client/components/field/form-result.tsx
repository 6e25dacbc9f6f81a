import { createContext, useContext } from 'react';
import { useLocation } from 'react-router';

/**
 * What a form post without scripts is answered with: the page again, with what was typed and what was wrong.
 * It belongs to one answer alone; such a page is never kept.
 */
export interface FormResult {
  /** The form's own address, which tells forms of one page apart. */
  action: string;
  /** The page that the form stands on. */
  page: string;
  values: Record<string, string>;
  errors: Record<string, string>;
  /** The newsletter's answer. */
  message: string | null;
}

export const NO_FORM_RESULT: FormResult = { action: '', page: '', values: {}, errors: {}, message: null };

const context = createContext<FormResult>(NO_FORM_RESULT);

export const FormResultProvider = context.Provider;

/** The router's key of the document's own location: navigations have others. */
const DOCUMENT_KEY = 'default';

/** The echo for the form that posts to `action`; an empty one for every other form, and after a navigation. */
export function useFormResult(action: string | null): FormResult {
  const formResult = useContext(context);
  const { key } = useLocation();
  return formResult.action === action && key === DOCUMENT_KEY ? formResult : NO_FORM_RESULT;
}
