import { useEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigation, useNavigationType } from 'react-router';
import { useElapsed } from '#client/hooks/use-elapsed.ts';
import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { type FollowedLink, linksTo } from './intercept-links.ts';

/** A faster navigation is announced by its title alone. */
const SLOW_MS = 1_000;

/**
 * Moves the focus after a client-side navigation, as browsers do after a document load: to the new page's heading, to the
 * target of a link within the page, or with Back to the link that was followed from there. Announces the page's title, and
 * before that, that it loads, where it takes longer than `SLOW_MS`.
 */
export function NavigationAnnouncer() {
  const t = useTexts();
  const { pathname, search, hash, key } = useLocation();
  const { state, location } = useNavigation();
  const navigationType = useNavigationType();
  const page = pathname + search;
  const rendered = useRef({ page, key });
  const [title, setTitle] = useState('');
  const isSlow = useElapsed(location?.key ?? null, SLOW_MS);

  useEffect(() => {
    const { page: lastPage, key: lastKey } = rendered.current;
    if (state !== 'idle' || lastKey === key) return;
    rendered.current = { page, key };
    const isSamePage = lastPage === page;
    if (!isSamePage) {
      const { title } = document;
      setTitle(title);
      // For the publisher's script (`tags.js` of the site folder).
      document.dispatchEvent(new CustomEvent('site:navigate', { detail: { path: page, title } }));
    }
    const followed = navigationType === NavigationType.Pop ? followedLink() : null;
    const target = hash && document.getElementById(decodeFragment(hash));
    if (followed) followed.focus({ preventScroll: true });
    else if (target) focus(target);
    else if (!isSamePage)
      focus(document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main'));
  }, [page, hash, key, state, navigationType]);

  return (
    <>
      <p className="visually-hidden" role="status">
        {isSlow && t(en.loading)}
      </p>
      <p className="visually-hidden" aria-live="assertive" role="status">
        {title}
      </p>
    </>
  );
}

function focus(element: HTMLElement | null): void {
  // What it is folded in opens, as it does for the target of a fragment. Before, there was no place to scroll to.
  for (const fold of document.querySelectorAll('details'))
    if (!fold.open && fold.contains(element)) {
      fold.open = true;
      element?.scrollIntoView();
    }
  if (element && element.tabIndex < 0) element.setAttribute('tabindex', '-1');
  element?.focus({ preventScroll: true });
}

/** Returns the element id of a hash; the hash itself where it is malformed. */
function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/**
 * Returns the link that the reader followed from this entry of the history, or the button of the closed popover or list of
 * contents that it is in; null where neither is shown.
 */
function followedLink(): HTMLElement | null {
  // Only `intercept-links.ts` writes it.
  const followed: FollowedLink | undefined = window.history.state?.followed;
  let element: HTMLElement | null | undefined = followed && linksTo(document, followed.href)[followed.index];
  // The button of a menu is itself in the closed sheet on phones.
  while (element && !element.checkVisibility()) {
    const closed: Element | null = element.closest('[popover], .contents-entries');
    element = document.querySelector<HTMLElement>(`[aria-controls="${closed?.id}"]`);
  }
  return element ?? null;
}
