import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';

/**
 * Moves focus to the new page's heading and announces its title after a client-side navigation, as browsers do after a
 * document load. Ignores changes of the hash alone.
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
