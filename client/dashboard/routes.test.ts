import { matchRoutes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { ROUTES } from './routes.tsx';

describe('the view of an address', () => {
  it.each([
    ['/', 'start', {}],
    ['/overview', 'overview', {}],
    ['/overview/360', 'overview', { minutes: '360' }],
    ['/policies/topic/120', 'policies', { resource: 'topic', ttl: '120' }],
    [
      '/policies/topic/120/600/86400',
      'policies',
      { resource: 'topic', ttl: '120', swr: '600', sie: '86400' },
    ],
    ['/purge/post%3A4711', 'purge', { tag: 'post:4711' }],
    ['/no-such-view/x', 'unknown', { '*': 'no-such-view/x' }],
  ])('%s is %s', (pathname, id, params) => {
    const match = matchRoutes(ROUTES, pathname)?.at(-1);
    expect(match?.route.id).toBe(id);
    expect(match?.params).toEqual(params);
  });
});
