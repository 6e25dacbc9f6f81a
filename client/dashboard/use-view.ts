import { useEffect, useRef, useSyncExternalStore } from 'react';

/** The views, in the order of the navigation. */
export const VIEWS = [
  { name: 'overview', title: 'Overview' },
  { name: 'ages', title: 'Ages' },
  { name: 'advice', title: 'Advice' },
  { name: 'purge', title: 'Purge' },
  { name: 'explain', title: 'Explain' },
  { name: 'modes', title: 'Modes' },
  { name: 'outbox', title: 'Outbox' },
  { name: 'readers', title: 'Readers' },
] as const;

export type ViewName = (typeof VIEWS)[number]['name'];

/** The view that the address names after its `#/`, and what it says to it: `#/ages/topic/120`. */
export interface View {
  name: ViewName;
  title: string;
  words: string[];
}

/** Reads a view off the fragment of an address. Any other fragment is the overview. */
export function viewOf(fragment: string): View {
  const [first, ...words] = fragment.replace(/^#\//, '').split('/').map(decode);
  const known = VIEWS.find(({ name }) => name === first) ?? VIEWS[0];
  return { ...known, words };
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** The view in the address bar. On a change its heading gets the focus, as a new page's would. */
export function useView(): View {
  const fragment = useSyncExternalStore(subscribe, () => window.location.hash);
  const view = viewOf(fragment);
  const shown = useRef(view.name);
  useEffect(() => {
    document.title = `${view.title} | Cockpit`;
    if (shown.current === view.name) return;
    shown.current = view.name;
    window.scrollTo(0, 0);
    document.querySelector('h1')?.focus();
  }, [view.name, view.title]);
  return view;
}
