import { Field } from './field.tsx';

/** A number field with its label and a description. */
export function NumberField({
  label,
  about,
  onChange,
  ...range
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  about: string;
  min?: number;
  max: number;
  step?: number;
}) {
  return (
    <Field
      label={label}
      about={about}
      control={(names) => (
        <input
          {...names}
          type="number"
          inputMode="decimal"
          min={0}
          {...range}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    />
  );
}
