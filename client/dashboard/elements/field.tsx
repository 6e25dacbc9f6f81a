import { type ComponentProps, useId } from 'react';
import { MAX_AGE_SECONDS } from '#shared/models/resources-and-policies.ts';

interface FieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  label: string;
  about?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A field with its label and a description. */
export function Field({ label, about, onChange, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={about && `${id}-about`}
        onChange={({ target }) => onChange(target.value)}
        {...input}
      />
      {about && (
        <span id={`${id}-about`} className="about">
          {about}
        </span>
      )}
    </div>
  );
}

/** Returns the whole number that was typed. Throws an error that says what is wanted. */
export function wholeNumber(label: string, typed: string, least = 0, most = MAX_AGE_SECONDS): number {
  const value = /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Error(`${label} must be a whole number from ${least} to ${most.toLocaleString('en')}.`);
}
