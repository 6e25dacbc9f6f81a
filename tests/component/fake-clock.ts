import { flushSync } from 'react-dom';
import { vi } from 'vitest';

/**
 * Replaces timers by vitest's until the test ends: time passes by `passTime` alone. Without the spy, vitest would let it
 * pass too wherever a test waits for an element or acts on one.
 */
export function fakeClock(): void {
  vi.useFakeTimers();
  vi.spyOn(vi, 'isFakeTimers').mockReturnValue(false);
}

/** Advances the fake timers, and renders what they change. Milliseconds. */
export function passTime(ms: number): void {
  flushSync(() => void vi.advanceTimersByTime(ms));
}
