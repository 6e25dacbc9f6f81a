import { type RefObject, useEffect, useState } from 'react';

/** Returns whether the element is above the viewport. False until it was observed. */
export function useOutOfView(element: RefObject<HTMLElement | null>): boolean {
  const [out, setOut] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) =>
      setOut(entry ? !entry.isIntersecting && entry.boundingClientRect.top < 0 : false),
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return out;
}
