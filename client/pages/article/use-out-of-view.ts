import { useEffect, useState } from 'react';

/** Returns whether the element that `selector` finds is above the viewport. False until it was observed. */
export function useOutOfView(selector: string): boolean {
  const [out, setOut] = useState(false);
  useEffect(() => {
    const element = document.querySelector(selector);
    if (!element) return;
    // A busy page gets several changes at once, the latest last.
    const observer = new IntersectionObserver((entries) =>
      setOut((entries.at(-1)?.boundingClientRect.bottom ?? 0) < 0),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [selector]);
  return out;
}
