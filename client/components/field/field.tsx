import type { ComponentProps } from 'react';
import './field.css';

interface Described {
  id: string;
  label: string;
  error: string | undefined;
}

function description({ id, error }: Described) {
  return {
    id,
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
  };
}

function ErrorText({ id, error }: Pick<Described, 'id' | 'error'>) {
  if (error === undefined) return null;
  return (
    <p id={`${id}-error`} className="field-error">
      {error}
    </p>
  );
}

/** A line of text with its label above and its error below, tied to it. */
export function TextField({ id, label, error, ...input }: Described & ComponentProps<'input'>) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} {...description({ id, label, error })} />
      <ErrorText id={id} error={error} />
    </div>
  );
}

/** A text of several lines. */
export function TextArea({ id, label, error, ...area }: Described & ComponentProps<'textarea'>) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea {...area} {...description({ id, label, error })} />
      <ErrorText id={id} error={error} />
    </div>
  );
}

/** A box to check. */
export function Checkbox({ id, label, error, ...input }: Described & ComponentProps<'input'>) {
  return (
    <div className="field field-checkbox">
      <input type="checkbox" {...input} {...description({ id, label, error })} />
      <label htmlFor={id}>{label}</label>
      <ErrorText id={id} error={error} />
    </div>
  );
}
