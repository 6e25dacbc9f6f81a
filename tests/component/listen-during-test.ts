import { onTestFinished, vi } from 'vitest';

/**
 * Calls a function that adds listeners to the document and the window, and removes them when the test ends: files share
 * one document, in an order that differs from run to run.
 */
export function listenDuringTest(add: () => void): void {
  const spies = [document, window].map((target) => ({ target, spy: vi.spyOn(target, 'addEventListener') }));
  add();
  const added = spies.flatMap(({ target, spy }) =>
    spy.mock.calls.map(([type, listener, options]) => ({ target, type, listener, options })),
  );
  for (const { spy } of spies) spy.mockRestore();
  onTestFinished(() => {
    for (const { target, type, listener, options } of added)
      target.removeEventListener(type, listener, options);
  });
}
