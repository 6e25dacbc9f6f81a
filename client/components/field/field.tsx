import type { ComponentProps } from 'react';
import { useTexts } from '#client/layout/site-context.tsx';
import './field.css';

interface FieldProps {
  id: string;
  label: string;
  error: string | undefined;
}

function fieldAttributes({ id, error }: FieldProps) {
  return {
    id,
    // For the document that a form post without scripts gets, in which the browser focuses the first of them. React focuses only
    // what it creates.
    autoFocus: error !== undefined,
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
  };
}

function ErrorText({ id, error }: Pick<FieldProps, 'id' | 'error'>) {
  const t = useTexts();
  if (error === undefined) return null;
  return (
    <p id={`${id}-error`} className="field-error">
      {t(error)}
    </p>
  );
}

interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'id'> {
  /** An error that its form reserves the lines of (`newsletter.css`). */
  possibleError?: string;
}

/** Renders a text input with its label and its error, tied to it by `aria-describedby`. */
export function TextField({ id, label, error, possibleError, ...input }: TextFieldProps) {
  return (
    <div className="field" data-error={possibleError}>
      <label htmlFor={id}>{label}</label>
      <input dir="auto" {...input} {...fieldAttributes({ id, label, error })} />
      <ErrorText id={id} error={error} />
    </div>
  );
}

/** Renders a text area with its label and its error. */
export function TextArea({ id, label, error, ...area }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea dir="auto" {...area} {...fieldAttributes({ id, label, error })} />
      <ErrorText id={id} error={error} />
    </div>
  );
}

/** Renders a checkbox with its label and its error. */
export function Checkbox({ id, label, error, ...input }: FieldProps & ComponentProps<'input'>) {
  return (
    <div className="field field-checkbox">
      <input type="checkbox" {...input} {...fieldAttributes({ id, label, error })} />
      <label htmlFor={id}>{label}</label>
      <ErrorText id={id} error={error} />
    </div>
  );
}
