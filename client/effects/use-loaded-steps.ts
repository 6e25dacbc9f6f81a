import { useEffect, useState } from 'react';

/** At most five steps (specification, section 4, scroll effects). */
const STEPS = 5;

export interface LoadedSteps {
  /** Pixels of scrolling that start the steps. */
  threshold: number;
  /** The n-th step follows after n times this. */
  stepMs: number;
  /** Steps that run when the page is drawn, in milliseconds; none when absent. */
  onMountStepMs?: number;
}

/**
 * How many of the five `loaded` steps have been taken. They start when the reader scrolls past the threshold, or when
 * the page is drawn. An element takes the class `loaded` at its step and rises a little; it is never hidden before.
 */
export function useLoadedSteps({ threshold, stepMs, onMountStepMs }: LoadedSteps): number {
  const [steps, setSteps] = useState(0);

  useEffect(() => {
    const timers: ReturnType<typeof setTimeout>[] = [];
    const run = (ms: number) => {
      for (let step = 1; step <= STEPS; step++) timers.push(setTimeout(() => setSteps(step), ms * step));
    };
    const look = () => {
      if (window.scrollY <= threshold) return;
      window.removeEventListener('scroll', look);
      run(stepMs);
    };
    if (onMountStepMs !== undefined) run(onMountStepMs);
    window.addEventListener('scroll', look, { passive: true });
    return () => {
      window.removeEventListener('scroll', look);
      for (const timer of timers) clearTimeout(timer);
    };
  }, [threshold, stepMs, onMountStepMs]);

  return steps;
}
