import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';

/**
 * Returns whether an element may autoplay: it is in view and neither hovered nor focused, the page is visible, and reduced
 * motion is not requested. False on the server and until the element was observed.
 */
export function useAutoplayAllowed(area: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(false);
  const [attended, setAttended] = useState(false);
  const [visible, setVisible] = useState(true);
  const reducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)');

  useEffect(() => {
    const element = area.current;
    if (!element) return;
    // A busy page gets several changes at once, the latest last.
    const observer = new IntersectionObserver((entries) => setInView(!!entries.pop()?.isIntersecting));
    observer.observe(element);
    const events = new AbortController();
    const { signal } = events;
    document.addEventListener('visibilitychange', () => setVisible(!document.hidden), { signal });
    const update = () => setAttended(element.matches(':hover') || element.contains(document.activeElement));
    for (const type of ['pointerenter', 'pointerleave', 'focusin'])
      element.addEventListener(type, update, { signal });
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

  return inView && visible && !attended && !reducedMotion;
}

/** Returns whether a media query matches, now and after each change. False on the server. */
function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}
