import { useCallback, useEffect, useRef } from 'react';
import { useAutoplay } from '#client/hooks/use-autoplay.ts';

/** Specification, section 9. */
const AUTOPLAY_MS = 3000;
/** Longest duration of a smooth scroll. Not every browser has `scrollend`. */
const SCROLL_MS = 1000;

/** Scrolls a carousel's track one slide at a time, by `step` and by autoplay; wraps around at both ends. */
export function useCarousel() {
  const { playing, ...autoplay } = useAutoplay<HTMLElement>();
  const track = useRef<HTMLDivElement>(null);

  /** Where the last smooth scroll leads: a step during it counts from there. */
  const destination = useRef({ distance: 0, until: 0 });

  const step = useCallback((direction: 1 | -1) => {
    const row = track.current;
    if (!row) return;
    const now = performance.now();
    // Negative where the row begins at the right.
    const scrolled = Math.abs(row.scrollLeft);
    const from = now < destination.current.until ? destination.current.distance : scrolled;
    const distance = nextDistance(row, from, direction);
    destination.current = { distance, until: now + SCROLL_MS };
    row.scrollTo({ left: getComputedStyle(row).direction === 'rtl' ? -distance : distance });
  }, []);

  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => step(1), AUTOPLAY_MS);
    return () => clearInterval(timer);
  }, [playing, step]);

  return { ...autoplay, track, step };
}

/** Returns the distance from the first slide, one slide further than `from`; past either end, that of the other end. */
function nextDistance(
  { children, scrollWidth, clientWidth }: HTMLElement,
  from: number,
  direction: 1 | -1,
): number {
  const [first, second] = children;
  if (!(first instanceof HTMLElement) || !(second instanceof HTMLElement)) return 0;
  const stride = Math.abs(second.offsetLeft - first.offsetLeft);
  const end = scrollWidth - clientWidth;
  const target = (Math.round(from / stride) + direction) * stride;
  if (target < 0) return end;
  return from >= end - 1 && direction === 1 ? 0 : Math.min(target, end);
}
