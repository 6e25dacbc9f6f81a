import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';

/** A faster navigation is announced by its title alone. */
const SLOW_MS = 1_000;

/**
 * Moves focus to the new page's heading and announces its title after a client-side navigation, as browsers do after a
 * document load; before that, that it loads, where it takes longer than `SLOW_MS`. Ignores changes of the hash alone.
 */
export function NavigationAnnouncer() {
  const { pathname, search } = useLocation();
  const { state } = useNavigation();
  const isLoading = state === 'loading';
  const page = pathname + search;
  const rendered = useRef(page);
  const [title, setTitle] = useState('');
  const [isSlow, setSlow] = useState(false);

  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isLoading]);

  useEffect(() => {
    if (state !== 'idle' || rendered.current === page) return;
    rendered.current = page;
    setTitle(document.title);
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [page, state]);

  return (
    <>
      <p className="visually-hidden" role="status">
        {isSlow && 'Loading...'}
      </p>
      <p className="visually-hidden" aria-live="assertive" role="status">
        {title}
      </p>
    </>
  );
}
