import type { ComponentType } from 'react';

interface View {
  /** The first segment of the address: `#/policies`. */
  name: string;
  title: string;
  /** The parameters behind it, as React Router writes them. */
  params?: string;
  load: () => Promise<{ Component: ComponentType }>;
}

/** The views, in the order of the navigation. Each is loaded when it is first opened. */
export const VIEWS: readonly View[] = [
  { name: 'overview', title: 'Overview', params: '/:minutes?', load: () => import('./views/overview.tsx') },
  {
    name: 'policies',
    title: 'Policies',
    params: '/:resource?/:ttl?/:swr?/:sie?',
    load: () => import('./views/policies.tsx'),
  },
  { name: 'ttl-advisor', title: 'TTL advisor', load: () => import('./views/ttl-advisor.tsx') },
  { name: 'purge', title: 'Purge', params: '/:tag?', load: () => import('./views/purge.tsx') },
  { name: 'cache-inspector', title: 'Cache inspector', load: () => import('./views/cache-inspector.tsx') },
  { name: 'overrides', title: 'Overrides', load: () => import('./views/overrides.tsx') },
  { name: 'instances', title: 'Instances', load: () => import('./views/instances.tsx') },
  { name: 'outbox', title: 'Outbox', load: () => import('./views/outbox.tsx') },
  { name: 'web-vitals', title: 'Web Vitals', load: () => import('./views/web-vitals.tsx') },
  { name: 'audit-log', title: 'Audit log', load: () => import('./views/audit-log.tsx') },
  { name: 'docs', title: 'Docs', params: '/:page?/:section?', load: () => import('./views/docs.tsx') },
];
