import { useEffect, useRef } from 'react';

/** Scrolls smoothly to the top when the page of a list changes (specification, section 2); at once under reduced motion. */
export function useSmoothTop(page: number): void {
  const drawn = useRef(page);
  useEffect(() => {
    if (drawn.current === page) return;
    drawn.current = page;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: calm ? 'instant' : 'smooth' });
  }, [page]);
}
