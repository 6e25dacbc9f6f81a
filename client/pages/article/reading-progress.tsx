import { useEffect, useRef } from 'react';

/** Renders a line at the top of the window, as long as the share of its parent that was scrolled past. Decorative. */
export function ReadingProgress() {
  const line = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = line.current;
    const article = element?.parentElement;
    if (!article) return;
    const update = () => {
      const { top, height } = article.getBoundingClientRect();
      // An article that is no longer than the window has been read to its end once its top is out of view.
      const length = Math.max(1, height - innerHeight);
      element.style.scale = `${Math.min(1, Math.max(0, -top / length))} 1`;
    };
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, []);

  return <div ref={line} className="reading-progress" aria-hidden="true" />;
}
