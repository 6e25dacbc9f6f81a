import type { ComponentType } from 'react';
import { type RouteObject, redirect } from 'react-router';
import { Layout } from './layout.tsx';
import { loadView } from './load-view.ts';

interface View {
  /** The first segment of the address: `#/cache`. */
  name: string;
  title: string;
  /** The parameter behind it. */
  params?: string;
  lazy: () => Promise<{ Component: ComponentType }>;
}

/** The views, in the order of the navigation. Each is loaded when it is first opened. */
export const VIEWS: readonly View[] = [
  { name: 'overview', title: 'Overview', params: '/:range?', lazy: () => import('./overview/overview.tsx') },
  { name: 'cache', title: 'Cache', params: '/:resource?', lazy: () => import('./cache/cache-view.tsx') },
  { name: 'messages', title: 'Messages', lazy: () => import('./messages/messages.tsx') },
  { name: 'changes', title: 'Changes', lazy: () => import('./changes/changes.tsx') },
];

const loader = () => redirect('/overview');

/** The views below the layout. An unknown address redirects to the overview. */
export const ROUTES: RouteObject[] = [
  {
    path: '/',
    element: <Layout views={VIEWS} />,
    // Nothing is rendered before the first view has come.
    HydrateFallback: () => null,
    children: [
      ...VIEWS.map(({ name, params = '', lazy }) => ({
        id: name,
        path: `${name}${params}`,
        lazy: () => loadView(lazy),
      })),
      { id: 'start', index: true, loader },
      { id: 'unknown', path: '*', loader },
    ],
  },
];
