import { Registry } from '@prometheus-io/client';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DEFAULT_POLICIES } from '#server/cache/default-policies.ts';
import { createCdn } from './cdn.ts';

function start() {
  const cache = createContentCache({ policies: DEFAULT_POLICIES, maxBytes: 1_000_000, clock: () => 0 });
  const config = { name: 'fastly', purgeUrl: 'http://127.0.0.1:9', token: 't', zone: 'z' } as const;
  const cdn = createCdn({ config, cache, registry: new Registry(), logger: pino({ level: 'silent' }) });
  if (cdn === null) throw new Error('there is a CDN');
  return { cache, cdn };
}

describe('what another instance was told by an operator', () => {
  it('purges the CDN there, not again here', () => {
    const { cache, cdn } = start();
    cache.policies.set('home', { ttl: 7 });
    cache.mode.set({ mode: 'bypass' });
    cache.purge({ all: true });
    expect(cdn.queueLength()).toBe(0);
  });
});
