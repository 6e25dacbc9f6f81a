import { createContext, useContext } from 'react';
import { useLocation } from 'react-router';

/**
 * Result of a form post without JavaScript: the values and errors that the returned page shows. Part of that response
 * alone, which is never cached.
 */
export interface FormResult {
  /** The form's action: tells the forms of one page apart. */
  action: string;
  /** Path of the page with the form. */
  page: string;
  values: Record<string, string>;
  errors: Record<string, string>;
  /** Message of the newsletter form. */
  message: string | null;
}

export const NO_FORM_RESULT: FormResult = { action: '', page: '', values: {}, errors: {}, message: null };

const context = createContext<FormResult>(NO_FORM_RESULT);

export const FormResultProvider = context.Provider;

/** The router's key of the document's own location. */
const DOCUMENT_KEY = 'default';

/** Returns the result for the form that posts to `action`; an empty one for other forms and after a navigation. */
export function useFormResult(action: string | null): FormResult {
  const formResult = useContext(context);
  const { key } = useLocation();
  return formResult.action === action && key === DOCUMENT_KEY ? formResult : NO_FORM_RESULT;
}
