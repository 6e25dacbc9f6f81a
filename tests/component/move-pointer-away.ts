import { userEvent } from 'vitest/browser';

/** Moves the pointer to the lower left corner of the window, where no component is. */
export async function movePointerAway(): Promise<void> {
  const position = { x: 1, y: window.innerHeight - 1 };
  await userEvent.hover(document.documentElement, { position, force: true });
}
