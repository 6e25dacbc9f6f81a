import { describe, expect, it } from 'vitest';
import { ACCESSES, createAccessRing } from '#server/cache/access-ring.ts';
import type { Policy, Resource } from '#shared/models/resources-and-policies.ts';
import { fakeClock } from '../../../tests/fixtures/clocks.ts';
import { advisePolicies } from './ttl-advisor.ts';

const IN_FORCE: Policy = { ttl: 60, swr: 600, sie: 86_400 };

/** Advises after `seconds` in which an article was read each second, and nothing else. */
async function adviceAfter(seconds: number, staleSeconds: number | undefined, inForce = IN_FORCE) {
  const clock = fakeClock();
  const ring = createAccessRing({ clock, capacity: ACCESSES });
  for (let second = 0; second < seconds; second++) {
    clock.monotonicMs = second * 1_000;
    ring.read('article', 'article/one', 1, second === 0);
  }
  clock.monotonicMs = seconds * 1_000;
  const advice = await advisePolicies(staleSeconds, () => inForce, ring.recorded);
  const of = (resource: Resource) => advice.resources.find((one) => one.resource === resource)?.advised;
  return { advice, article: of('article'), unread: of('search') };
}

describe('advice for a long bound of age', () => {
  const goal = 86_400;

  it('has no TTL that the record does not test', async () => {
    const { article } = await adviceAfter(400, goal);
    expect(article?.ttl).toBe(300);
  });

  it('leaves a TTL in force that is longer than the record', async () => {
    const { article } = await adviceAfter(400, goal, { ...IN_FORCE, ttl: 7_200 });
    expect(article?.ttl).toBe(7_200);
  });

  it('raises no TTL of a resource without reads', async () => {
    const { unread } = await adviceAfter(400, goal);
    expect(unread?.ttl).toBe(60);
  });
});

it('a bound of age is kept by a resource without reads, and by one whose TTL in force is above it', async () => {
  for (const seconds of [0.5, 400]) {
    const { article, unread } = await adviceAfter(seconds, 33);
    for (const policy of [article, unread]) {
      expect(policy?.ttl).toBeLessThanOrEqual(30);
      expect((policy?.ttl ?? 0) * 1.1 + (policy?.swr ?? 0)).toBeLessThanOrEqual(33.1);
    }
  }
});

it('without a bound nothing gets older than under the policy in force', async () => {
  const { article, unread } = await adviceAfter(400, undefined);
  for (const policy of [article, unread])
    expect((policy?.ttl ?? 0) * 1.1 + (policy?.swr ?? 0)).toBeLessThanOrEqual(666.1);
  expect(article?.ttl).toBe(300);
});
