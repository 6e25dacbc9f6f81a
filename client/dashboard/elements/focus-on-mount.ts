/** A `ref` that gives an element the focus when it is rendered first. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
