import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';

/**
 * After a navigation inside the page: moves focus to the new page's heading and says its title, as a browser
 * does after a document load. A change of the hash alone is left to the browser.
 */
export function NavigationAnnouncer() {
  const { pathname, search } = useLocation();
  const { state } = useNavigation();
  const page = pathname + search;
  const rendered = useRef(page);
  const [title, setTitle] = useState('');

  useEffect(() => {
    if (state !== 'idle' || rendered.current === page) return;
    rendered.current = page;
    setTitle(document.title);
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [page, state]);

  return (
    <p className="visually-hidden" aria-live="assertive" role="status">
      {title}
    </p>
  );
}
