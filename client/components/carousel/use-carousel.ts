import { useCallback, useEffect, useRef, useState } from 'react';
import { useAutoplayAllowed } from '#client/hooks/use-autoplay-allowed.ts';

/** Specification, section 9. */
const AUTOPLAY_MS = 3000;

/** Scrolls a carousel's track one slide at a time, by `step` and by autoplay; wraps around at both ends. */
export function useCarousel() {
  const area = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const autoplayAllowed = useAutoplayAllowed(area);
  const [paused, setPaused] = useState(false);

  const step = useCallback((direction: 1 | -1) => {
    const row = track.current;
    row?.scrollTo({ left: nextPosition(row, direction), behavior: 'smooth' });
  }, []);

  useEffect(() => {
    if (paused || !autoplayAllowed) return;
    const timer = setInterval(() => step(1), AUTOPLAY_MS);
    return () => clearInterval(timer);
  }, [paused, autoplayAllowed, step]);

  return { area, track, paused, toggle: () => setPaused((current) => !current), step };
}

/** Returns the scroll position one slide further; past either end, that of the other end. */
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
