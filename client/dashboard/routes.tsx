import type { ComponentType } from 'react';
import { type RouteObject, redirect } from 'react-router';
import { Layout } from './layout.tsx';

interface View {
  /** The first segment of the address: `#/policies`. */
  name: string;
  title: string;
  /** The parameters behind it. */
  params?: string;
  lazy: () => Promise<{ Component: ComponentType }>;
}

/** The views, in the order of the navigation. Each is loaded when it is first opened. */
const VIEWS: View[] = [
  { name: 'overview', title: 'Overview', params: '/:minutes?', lazy: () => import('./views/overview.tsx') },
  {
    name: 'policies',
    title: 'Policies',
    params: '/:resource?/:ttl?/:swr?/:sie?',
    lazy: () => import('./views/policies.tsx'),
  },
  { name: 'ttl-advisor', title: 'TTL advisor', lazy: () => import('./views/ttl-advisor.tsx') },
  { name: 'purge', title: 'Purge', params: '/:tag?', lazy: () => import('./views/purge.tsx') },
  { name: 'cache-inspector', title: 'Cache inspector', lazy: () => import('./views/cache-inspector.tsx') },
  { name: 'overrides', title: 'Overrides', lazy: () => import('./views/overrides.tsx') },
  { name: 'instances', title: 'Instances', lazy: () => import('./views/instances.tsx') },
  { name: 'outbox', title: 'Outbox', lazy: () => import('./views/outbox.tsx') },
  { name: 'web-vitals', title: 'Web Vitals', lazy: () => import('./views/web-vitals.tsx') },
  { name: 'audit-log', title: 'Audit log', lazy: () => import('./views/audit-log.tsx') },
  { name: 'docs', title: 'Docs', params: '/:page?/:section?', lazy: () => import('./views/docs.tsx') },
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
      ...VIEWS.map(({ name, params = '', lazy }) => ({ id: name, path: `${name}${params}`, lazy })),
      { id: 'start', index: true, loader },
      { id: 'unknown', path: '*', loader },
    ],
  },
];
