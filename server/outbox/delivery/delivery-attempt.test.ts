import { describe, expect, it } from 'vitest';
import type { CmsClient } from '#server/cms/client/cms-client.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import { attemptDelivery, deliverTo, outcomeOf } from './delivery-attempt.ts';

describe('delivering over the upstream client', () => {
  it.each([
    ['subscription', { email: 'a@example.com' }, '/api/subscribe/add'],
    ['contact', { email: 'a@example.com' }, '/api/contact/add'],
    ['opt-out', { email: 'a@example.com' }, '/api/optout/add'],
    ['view', { postId: '7/8', ip_addr: '93.184.216.34' }, '/api/post/post_count/7%2F8'],
  ] as const)('posts a %s to its own path, under its idempotency key', async (kind, payload, path) => {
    const posts: unknown[] = [];
    const client: Pick<CmsClient, 'post'> = {
      post: async (...call) => {
        posts.push(call);
        return { status: 200 };
      },
    };
    const unused = () => Promise.reject(new Error('not for posting'));
    const whole: CmsClient = { ...client, get: unused, close: unused, breakerState: () => 'closed' };
    expect(await deliverTo(whole, '/api/optout/add')({ kind, payload, idempotencyKey: 'k' })).toEqual({
      status: 200,
    });
    expect(posts).toMatchObject([[path, payload, { idempotencyKey: 'k' }]]);
  });
});

describe('an attempt', () => {
  const item = { kind: 'contact', payload: {}, idempotencyKey: 'k' } as const;

  it.each([
    ['timeout', true],
    ['network', true],
    ['overloaded', false],
    ['breaker-open', false],
  ] as const)('that ends in %s may have arrived: %s', async (kind, uncertain) => {
    const down = () => Promise.reject(new UpstreamError(kind, 'contact.add'));
    expect(await attemptDelivery(down, item, false)).toMatchObject({ state: 'pending', uncertain });
  });
});

describe('the outcome of an attempt', () => {
  it('a view is counted by status 200 alone; any other status is an error', () => {
    expect(outcomeOf('view', 200, false)).toMatchObject({
      state: 'delivered',
      error: null,
    });
    for (const status of [201, 204, 302, 400, 404, 500, 503]) {
      const { state, error } = outcomeOf('view', status, false);
      expect(state, String(status)).not.toBe('delivered');
      expect(error).toBe(`status ${status}`);
    }
  });

  it.each(['subscription', 'contact', 'opt-out'] as const)('a %s is taken by any ok status', (kind) => {
    for (const status of [200, 201, 202, 204])
      expect(outcomeOf(kind, status, false)).toMatchObject({
        state: 'delivered',
        error: null,
      });
    expect(outcomeOf(kind, 302, false).state).not.toBe('delivered');
  });

  it('a subscription with response 404 was known already, unless an earlier attempt may have been its own', () => {
    expect(outcomeOf('subscription', 404, false).state).toBe('already-subscribed');
    expect(outcomeOf('subscription', 404, true).state).toBe('delivered');
    expect(outcomeOf('contact', 404, false).state).toBe('rejected');
  });
});
