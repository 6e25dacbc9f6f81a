import { useEffect, useRef } from 'react';

/** A fine line at the top that grows with the part of the article that has been read. Decoration. */
export function ReadingProgress() {
  const line = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const draw = () => {
      const text = document.querySelector('.article-main');
      if (!text || !line.current) return;
      const { top, height } = text.getBoundingClientRect();
      const read = Math.min(1, Math.max(0, -top / Math.max(1, height - window.innerHeight)));
      line.current.style.scale = `${read} 1`;
    };
    window.addEventListener('scroll', draw, { passive: true });
    return () => window.removeEventListener('scroll', draw);
  }, []);

  return <div ref={line} className="reading-progress" aria-hidden="true" />;
}
