import { useId } from 'react';

/** A number field with its label and a description. */
export function NumberField({
  label,
  value,
  onChange,
  about,
  min = 0,
  max,
  step = 1,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  about: string;
  min?: number;
  max: number;
  step?: number;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="number"
        inputMode="decimal"
        required
        min={min}
        max={max}
        step={step}
        value={value}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => onChange(target.value)}
      />
      <span id={`${id}-about`} className="about">
        {about}
      </span>
    </div>
  );
}
