import { useEffect, useState } from 'react';

/** Returns whether the page has been scrolled further than `threshold` pixels since the component mounted. */
export function useReveal(threshold: number): boolean {
  const [isRevealed, setIsRevealed] = useState(false);

  useEffect(() => {
    const update = () => {
      if (window.scrollY <= threshold) return;
      window.removeEventListener('scroll', update);
      setIsRevealed(true);
    };
    window.addEventListener('scroll', update, { passive: true });
    update();
    return () => window.removeEventListener('scroll', update);
  }, [threshold]);

  return isRevealed;
}

/**
 * Returns `name`, once it is revealed with the class that starts the animation of a scroll effect (specification, section
 * 4). The animation is delayed by `step`, 1 to 5, times `--reveal-step`; what it moves is visible before too.
 */
export function revealClass(
  name: string,
  isRevealed: boolean,
  step: number,
  loaded: 'loaded' | 'loaded1' = 'loaded',
): string {
  return isRevealed ? `${name} ${loaded} is-step-${step}` : name;
}
