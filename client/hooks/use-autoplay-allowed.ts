import { type RefObject, useEffect, useState } from 'react';

/**
 * True while something may move by itself: it is in view, the page is visible, the reader neither points at it nor
 * has focus in it, and asked for no reduced motion. False on the server and until the browser has looked.
 */
export function useAutoplayAllowed(area: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(false);
  const [attended, setAttended] = useState(false);
  const [visible, setVisible] = useState(true);
  const [calm, setCalm] = useState(false);

  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false));
    observer.observe(element);
    const motion = window.matchMedia('(prefers-reduced-motion: reduce)');
    const events = new AbortController();
    const { signal } = events;
    setCalm(motion.matches);
    motion.addEventListener('change', () => setCalm(motion.matches), { signal });
    document.addEventListener('visibilitychange', () => setVisible(!document.hidden), { signal });
    const look = () => setAttended(element.matches(':hover') || element.contains(document.activeElement));
    for (const type of ['pointerenter', 'pointerleave', 'focusin'])
      element.addEventListener(type, look, { signal });
    element.addEventListener(
      'focusout',
      ({ relatedTarget }) => setAttended(relatedTarget instanceof Node && element.contains(relatedTarget)),
      { signal },
    );
    return () => {
      observer.disconnect();
      events.abort();
    };
  }, [area]);

  return inView && visible && !attended && !calm;
}
