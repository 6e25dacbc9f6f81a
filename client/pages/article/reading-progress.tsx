import { useEffect, useRef } from 'react';

/** Renders a line at the top of the window, as long as the share of the article that was scrolled past. Decorative. */
export function ReadingProgress() {
  const line = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const update = () => {
      const article = document.querySelector('.article-main');
      if (!article || !line.current) return;
      const { top, height } = article.getBoundingClientRect();
      const read = Math.min(1, Math.max(0, -top / Math.max(1, height - window.innerHeight)));
      line.current.style.scale = `${read} 1`;
    };
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);

  return <div ref={line} className="reading-progress" aria-hidden="true" />;
}
