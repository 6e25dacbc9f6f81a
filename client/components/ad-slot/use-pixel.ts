import { type RefObject, useEffect, useRef } from 'react';

/** An advertisement counts as seen once half of it has been visible for this long (ms). */
const SEEN_AFTER_MS = 1_000;

/** Asks for the pixel of the advertisement in `area`, once, when it has been seen. */
export function usePixel(area: RefObject<HTMLElement | null>, url: string | undefined): void {
  const asked = useRef(new Set<string>());

  useEffect(() => {
    const element = area.current;
    if (!url || !element || asked.current.has(url)) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (!entry?.isIntersecting) return;
        timer = setTimeout(() => {
          observer.disconnect();
          asked.current.add(url);
          new Image().src = url;
        }, SEEN_AFTER_MS);
      },
      { threshold: 0.5 },
    );
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [area, url]);
}
