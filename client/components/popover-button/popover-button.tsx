import type { ReactNode } from 'react';

interface PopoverButtonProps {
  /** Id of the popover. */
  opens: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * Renders a button that opens and closes a popover, also without JavaScript: browsers then expose its state themselves, and
 * an attribute of the HTML would not follow it. With JavaScript `header-state.ts` adds and updates `aria-expanded`.
 */
export function PopoverButton({ opens, className, children }: PopoverButtonProps) {
  return (
    <button
      type="button"
      className={className}
      popoverTarget={opens}
      aria-controls={opens}
      // Hydration leaves the state of a popover that is open already.
      ref={(button) => {
        if (button) button.ariaExpanded ??= 'false';
      }}
      suppressHydrationWarning
    >
      {children}
    </button>
  );
}
