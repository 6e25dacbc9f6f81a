import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';

/**
 * Scrolls smoothly to the top when the reader turns to another page of a list (specification, section 2); at once
 * under reduced motion. Going back and forth keeps the place the browser restores. The links that turn the page
 * leave the scrolling to this (`preventScrollReset`).
 */
export function useSmoothTop(page: number): void {
  const rendered = useRef(page);
  const how = useNavigationType();
  useEffect(() => {
    if (rendered.current === page) return;
    rendered.current = page;
    if (how === 'POP') return;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: calm ? 'instant' : 'smooth' });
  }, [page, how]);
}
