import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { OpsApi } from './api/ops-api.ts';
import type { Live } from './live/use-live-metrics.ts';

/** The views, in the order of the navigation. */
export const VIEWS = [
  { name: 'overview', title: 'Overview' },
  { name: 'policies', title: 'Policies' },
  { name: 'ttl-advisor', title: 'TTL advisor' },
  { name: 'purge', title: 'Purge' },
  { name: 'cache-inspector', title: 'Cache inspector' },
  { name: 'overrides', title: 'Overrides' },
  { name: 'outbox', title: 'Outbox' },
  { name: 'web-vitals', title: 'Web Vitals' },
  { name: 'audit-log', title: 'Audit log' },
] as const;

/** The view in the fragment of the URL, with its parameters: `#/policies/topic/120`. */
export interface View {
  name: (typeof VIEWS)[number]['name'];
  title: string;
  params: string[];
}

export interface ViewProps {
  api: OpsApi;
  live: Live;
  /** The parameters in the fragment. */
  params: string[];
}

/** Parses the fragment of a URL. An unknown view is the overview. */
export function viewOf(fragment: string): View {
  const [first, ...params] = fragment.replace(/^#\//, '').split('/').map(decode);
  const known = VIEWS.find(({ name }) => name === first) ?? VIEWS[0];
  return { ...known, params };
}

function decode(param: string): string {
  try {
    return decodeURIComponent(param);
  } catch {
    return param;
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** Returns the view in the address bar. On a change its heading gets the focus, as a new page's would. */
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
