import { useEffect, useState } from 'react';

/** Returns whether the element that `selector` finds is above the viewport. False until it was observed. */
export function useOutOfView(selector: string): boolean {
  const [out, setOut] = useState(false);
  useEffect(() => {
    const element = document.querySelector(selector);
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) =>
      setOut((entry?.boundingClientRect.bottom ?? 0) < 0),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [selector]);
  return out;
}
