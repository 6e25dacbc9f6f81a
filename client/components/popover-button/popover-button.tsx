import type { ReactNode } from 'react';

interface PopoverButtonProps {
  /** Id of the popover. */
  opens: string;
  className?: string | undefined;
  children: ReactNode;
}

/** Renders a button that opens and closes a popover, also without JavaScript. `header-state.ts` updates `aria-expanded`. */
export function PopoverButton({ opens, className, children }: PopoverButtonProps) {
  return (
    <button
      type="button"
      className={className}
      popoverTarget={opens}
      aria-controls={opens}
      aria-expanded={false}
      // It may be open already: `header-state.ts` keeps its attribute.
      suppressHydrationWarning
    >
      {children}
    </button>
  );
}
