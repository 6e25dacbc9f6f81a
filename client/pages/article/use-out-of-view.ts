import { type RefObject, useEffect, useState } from 'react';

/** True while the element is out of view above the window. False until the browser has looked. */
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
