import { type ChangeEvent, type ComponentProps, type ReactNode, useId } from 'react';

interface FieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  about: string;
  /** As wide as its form allows. */
  isWide?: boolean;
  /** Of a field with more than one. */
  lines?: number;
  value: string;
  onChange: (value: string) => void;
}

/** A required field with its label and a description. */
export function Field({ label, about, isWide = false, lines, value, onChange, ...input }: FieldProps) {
  const id = useId();
  const control = {
    id,
    required: true,
    'aria-describedby': `${id}-about`,
    spellCheck: false,
    value,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(target.value),
  };
  return (
    <div className={`field ${isWide ? 'wide' : ''}`}>
      <label htmlFor={id}>{label}</label>
      {lines === undefined ? <input {...control} {...input} /> : <textarea {...control} rows={lines} />}
      <span id={`${id}-about`} className="about">
        {about}
      </span>
    </div>
  );
}

/** A required field of a number. */
export function NumberField(field: FieldProps) {
  return <Field type="number" inputMode="decimal" min={0} {...field} />;
}

interface ChoiceProps<Value extends string> {
  legend: string;
  /** Labels by value. */
  options: Readonly<Record<Value, ReactNode>>;
  value: Value;
  onChange: (value: Value) => void;
}

/** A group of radio buttons. */
export function Choice<Value extends string>({ legend, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend>{legend}</legend>
      {valuesOf(options).map((option) => (
        <label key={option} className="choice">
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          <span>{options[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The keys of a record that is typed by all of them. */
const valuesOf = Object.keys as <Value extends string>(
  options: Readonly<Record<Value, ReactNode>>,
) => Value[];
