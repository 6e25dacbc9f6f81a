import { type ReactNode, useId } from 'react';

/** A group of radio buttons. `options`: their labels by value. */
export function Choice<Value extends string>({
  legend,
  options,
  value,
  onChange,
}: {
  legend: string;
  options: Readonly<Record<Value, ReactNode>>;
  value: Value;
  onChange: (value: Value) => void;
}) {
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
