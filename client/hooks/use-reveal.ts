import { useEffect, useState } from 'react';

type LoadedClass = 'loaded' | 'loaded1';

/**
 * Returns the function that adds the class of a scroll effect to `name`, as `revealClass` does, once the page has been
 * scrolled further than `threshold` pixels since the component mounted.
 */
export function useReveal(threshold: number, loaded?: LoadedClass): (name: string, step: number) => string {
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

  return (name, step) => (isRevealed ? revealClass(name, step, loaded) : name);
}

/**
 * Returns `name` with the class that starts the animation of a scroll effect (specification, section 4). The animation is
 * delayed by `step`, 1 to 5, times `--reveal-step`; what it moves is visible before too.
 */
export function revealClass(name: string, step: number, loaded: LoadedClass = 'loaded'): string {
  return `${name} ${loaded} is-step-${step}`;
}
