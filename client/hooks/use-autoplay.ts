import { useEffect, useRef, useState } from 'react';

/**
 * Returns whether the element `area` plays by itself, and what pauses it. It plays where it is in view and neither hovered
 * nor focused, the page is visible, and reduced motion is not requested; not on the server and until it was observed.
 */
export function useAutoplay<Area extends HTMLElement>() {
  const area = useRef<Area>(null);
  const [allowed, setAllowed] = useState(false);
  const [paused, setPaused] = useState(false);

  // After each render: the element may come with the data of a later page.
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
    let inView = false;
    const update = () => {
      const attended = element.matches(':hover, :focus-within');
      setAllowed(inView && !attended && !document.hidden && !reducedMotion.matches);
    };
    // A busy page gets several changes at once, the latest last.
    const observer = new IntersectionObserver((entries) => {
      inView = !!entries.pop()?.isIntersecting;
      update();
    });
    observer.observe(element);
    const events = new AbortController();
    const { signal } = events;
    document.addEventListener('visibilitychange', update, { signal });
    reducedMotion.addEventListener('change', update, { signal });
    for (const type of ['pointerenter', 'pointerleave', 'focusin', 'focusout'])
      element.addEventListener(type, update, { signal });
    return () => {
      observer.disconnect();
      events.abort();
    };
  });

  return { area, playing: allowed && !paused, paused, toggle: () => setPaused((current) => !current) };
}
