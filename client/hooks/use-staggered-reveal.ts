import { useEffect, useState } from 'react';

/** Number of steps (specification, section 4, scroll effects). */
const STEPS = 5;

interface StaggeredRevealOptions {
  /** Delay of each step after the one before. */
  stepMs: number;
  /** Scroll position in pixels that starts the steps; absent: they start when the component mounts. */
  scrolledPast?: number;
}

/**
 * Returns how many of the five reveal steps have passed. An element gets the class `loaded` at its step, which animates it
 * slightly; it is visible before too.
 */
export function useStaggeredReveal({ stepMs, scrolledPast }: StaggeredRevealOptions): number {
  const [steps, setSteps] = useState(0);

  useEffect(() => {
    const timers: ReturnType<typeof setTimeout>[] = [];
    const start = () => {
      for (let step = 1; step <= STEPS; step++) timers.push(setTimeout(() => setSteps(step), stepMs * step));
    };
    const update = () => {
      if (scrolledPast !== undefined && window.scrollY <= scrolledPast) return;
      window.removeEventListener('scroll', update);
      start();
    };
    window.addEventListener('scroll', update, { passive: true });
    update();
    return () => {
      window.removeEventListener('scroll', update);
      for (const timer of timers) clearTimeout(timer);
    };
  }, [stepMs, scrolledPast]);

  return steps;
}

/** Returns `name`, with the class `loaded` once its step has passed. */
export function revealClass(name: string, steps: number, step: number): string {
  return steps >= step ? `${name} loaded` : name;
}
