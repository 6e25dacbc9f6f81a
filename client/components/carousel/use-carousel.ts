import { useCallback, useEffect, useRef, useState } from 'react';
import { useAutoplayAllowed } from '#client/hooks/use-autoplay-allowed.ts';

/** Specification, section 9. */
const AUTOPLAY_MS = 3000;

/** The movement of a carousel: one slide at a time, from the last back to the first. */
export function useCarousel() {
  const area = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const mayMove = useAutoplayAllowed(area);
  const [paused, setPaused] = useState(false);

  const step = useCallback((direction: 1 | -1) => {
    const row = track.current;
    if (row) row.scrollTo({ left: nextPosition(row, direction), behavior: 'smooth' });
  }, []);

  useEffect(() => {
    if (paused || !mayMove) return;
    const timer = setInterval(() => step(1), AUTOPLAY_MS);
    return () => clearInterval(timer);
  }, [paused, mayMove, step]);

  return { area, track, paused, toggle: () => setPaused((current) => !current), step };
}

/** Where the row stands after one step; past either end it goes on at the other. */
function nextPosition(
  { children, scrollLeft, scrollWidth, clientWidth }: HTMLElement,
  direction: 1 | -1,
): number {
  const [first, second] = children;
  if (!(first instanceof HTMLElement) || !(second instanceof HTMLElement)) return 0;
  const stride = second.offsetLeft - first.offsetLeft;
  const end = scrollWidth - clientWidth;
  const target = (Math.round(scrollLeft / stride) + direction) * stride;
  if (target < 0) return end;
  return scrollLeft >= end - 1 && direction === 1 ? 0 : Math.min(target, end);
}
