import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';

/**
 * Scrolls to the top when a list shows another page (specification, section 2), at once under reduced motion. Back and
 * Forward keep the position that the browser restores. The links to it carry `data-keep-scroll`.
 */
export function useSmoothTop(page: number): void {
  const rendered = useRef(page);
  const navigationType = useNavigationType();
  useEffect(() => {
    if (rendered.current === page) return;
    rendered.current = page;
    if (navigationType === 'POP') return;
    const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: reducedMotion ? 'instant' : 'smooth' });
  }, [page, navigationType]);
}
