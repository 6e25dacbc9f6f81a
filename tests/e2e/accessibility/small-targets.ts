/** Returns links and controls less than `least` pixels high or wide, but for links in sentences (WCAG 2.2, 2.5.8). */
export function smallTargets(least: number): string[] {
  const isInSentence = (control: Element) => {
    const block = control.closest('p, li, dd, label, .rich-text > *');
    return block !== null && block.textContent?.trim() !== control.textContent?.trim();
  };
  const sizeOf = (control: HTMLElement) => {
    // The link of a card covers the card.
    const { position, content } = getComputedStyle(control, '::after');
    const isCover = position === 'absolute' && content === '""' && control.matches('a');
    const label = control instanceof HTMLInputElement ? control.labels?.[0] : undefined;
    const target = isCover ? control.closest('article, li') : control;
    const boxes = [target, label].map((part) => part?.getBoundingClientRect() ?? new DOMRect());
    const width = Math.max(...boxes.map((box) => box.width));
    const height = Math.max(...boxes.map((box) => box.height));
    return { width, height, least: Math.min(width, height) };
  };
  return [...document.querySelectorAll<HTMLElement>('a[href], button, summary, input, textarea')]
    .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((control) => control.offsetWidth > 0 && !control.matches('.skip-link'))
    .filter((control) => sizeOf(control).least < least - 0.5)
    .filter((control) => getComputedStyle(control).display !== 'inline' || !isInSentence(control))
    .map((control) => {
      const { width, height } = sizeOf(control);
      return `${control.outerHTML.slice(0, 80)}: ${width} x ${height} px`;
    });
}
