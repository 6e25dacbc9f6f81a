import { type ReactNode, useId } from 'react';

/** A control with its label and a description. `control` renders it with the given properties. */
export function Field({
  label,
  about,
  isWide = false,
  control,
}: {
  label: string;
  about: string;
  /** As wide as its form allows. */
  isWide?: boolean;
  control: (names: { id: string; required: true; 'aria-describedby': string }) => ReactNode;
}) {
  const id = useId();
  const aboutId = `${id}-about`;
  return (
    <div className={`field ${isWide ? 'wide' : ''}`}>
      <label htmlFor={id}>{label}</label>
      {control({ id, required: true, 'aria-describedby': aboutId })}
      <span id={aboutId} className="about">
        {about}
      </span>
    </div>
  );
}
