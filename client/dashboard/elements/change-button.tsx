import { type ComponentProps, useId } from 'react';
import { useReadOnly } from '#client/dashboard/api/session.ts';

/** A button that changes the site. With a token that may only read it does nothing, and says why; it keeps the focus. */
export function ChangeButton({ onClick, ...button }: Omit<ComponentProps<'button'>, 'type'>) {
  const id = useId();
  if (!useReadOnly()) return <button {...button} type="button" onClick={onClick} />;
  return (
    <>
      <button {...button} type="button" aria-disabled="true" aria-describedby={id} />
      <span id={id} className="about">
        This token may only read (OPS_READ_TOKEN).
      </span>
    </>
  );
}
