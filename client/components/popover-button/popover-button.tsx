import type { ReactNode } from 'react';

interface PopoverButtonProps {
  /** Id of the popover. */
  opens: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * Sets `aria-expanded` once scripts run, which `header-state.ts` then keeps. In the HTML as sent it would be an error:
 * browsers expose the state of what `popovertarget` opens themselves.
 */
function setExpanded(button: HTMLButtonElement | null): void {
  const isOpen = button?.popoverTargetElement?.matches(':popover-open') ?? false;
  button?.setAttribute('aria-expanded', `${isOpen}`);
}

/** Renders a button that opens and closes a popover, also without JavaScript. */
export function PopoverButton({ opens, className, children }: PopoverButtonProps) {
  return (
    <button
      type="button"
      className={className}
      popoverTarget={opens}
      aria-controls={opens}
      ref={setExpanded}
      // It may have been opened before.
      suppressHydrationWarning
    >
      {children}
    </button>
  );
}
