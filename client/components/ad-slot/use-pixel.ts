import { type RefObject, useEffect, useRef } from 'react';

/** An advertisement counts as seen once this share of it has been visible for so long (ms). */
const SEEN_SHARE = 0.5;
const SEEN_AFTER_MS = 1_000;

/** Asks for the pixel of the advertisement in `area`, once, when it has been seen. */
export function usePixel(area: RefObject<HTMLElement | null>, url: string | undefined): void {
  const asked = useRef(new Set<string>());

  useEffect(() => {
    const element = area.current;
    if (!url || !element || asked.current.has(url)) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        // `isIntersecting` says that any of it is visible: at the start it is told without the threshold.
        const share = entries.at(-1)?.intersectionRatio ?? 0;
        if (share < SEEN_SHARE) return;
        timer = setTimeout(() => {
          observer.disconnect();
          asked.current.add(url);
          new Image().src = url;
        }, SEEN_AFTER_MS);
      },
      { threshold: SEEN_SHARE },
    );
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [area, url]);
}
