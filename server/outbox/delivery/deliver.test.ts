import { describe, expect, it } from 'vitest';
import type { CmsClient } from '#server/cms/client/cms-client.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import { attemptDelivery, deliverTo } from './deliver.ts';

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
  ] as const)('that ends in %s may have arrived: %s', async (kind, mayHaveArrived) => {
    const attempt = await attemptDelivery(() => Promise.reject(new UpstreamError(kind, 'contact.add')), item);
    expect(attempt).toMatchObject({ mayHaveArrived });
  });
});
