/** Adds `aria-expanded` to a button of a closed popover. Leaves the state that it has: a popover may open before hydration. */
export function initializeExpanded(button: Element | null): void {
  if (button && !button.ariaExpanded) button.ariaExpanded = 'false';
}
