import { useEffect, useState } from 'react';

/** At most five steps (specification, section 4, scroll effects). */
const STEPS = 5;

export interface StaggeredReveal {
  /** The n-th step follows after n times this, in milliseconds. */
  stepMs: number;
  /** Pixels of scrolling that start the steps; absent: they start when the page is drawn. */
  scrolledPast?: number;
}

/**
 * How many of the five `loaded` steps have been taken. An element takes the class `loaded` at its step and rises a
 * little; it is never hidden before.
 */
export function useStaggeredReveal({ stepMs, scrolledPast }: StaggeredReveal): number {
  const [steps, setSteps] = useState(0);

  useEffect(() => {
    const timers: ReturnType<typeof setTimeout>[] = [];
    const start = () => {
      for (let step = 1; step <= STEPS; step++) timers.push(setTimeout(() => setSteps(step), stepMs * step));
    };
    const look = () => {
      if (scrolledPast !== undefined && window.scrollY <= scrolledPast) return;
      window.removeEventListener('scroll', look);
      start();
    };
    window.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      window.removeEventListener('scroll', look);
      for (const timer of timers) clearTimeout(timer);
    };
  }, [stepMs, scrolledPast]);

  return steps;
}

/** A class name, with `loaded` once its step has been taken. */
export function risen(name: string, steps: number, step: number): string {
  return steps >= step ? `${name} loaded` : name;
}
