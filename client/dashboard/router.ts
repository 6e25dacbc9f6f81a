import { type RouteObject, redirect } from 'react-router';
import { Layout } from './layout.tsx';
import { VIEWS } from './views.ts';

const toOverview = () => redirect('/overview');

/** The views below the layout. An unknown address leads to the overview. */
export const ROUTES: RouteObject[] = [
  {
    path: '/',
    Component: Layout,
    // Nothing is rendered before the first view has come.
    HydrateFallback: () => null,
    children: [
      ...VIEWS.map(({ name, params = '', load }) => ({ id: name, path: `${name}${params}`, lazy: load })),
      { id: 'start', index: true, loader: toOverview },
      { id: 'unknown', path: '*', loader: toOverview },
    ],
  },
];
