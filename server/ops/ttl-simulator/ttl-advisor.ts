import type { RecordedAccesses } from '#server/cache/access-ring.ts';
import type { Advice, Candidate } from '#shared/models/ops/ops-api-types.ts';
import { type Policy, RESOURCES, type Resource } from '#shared/models/resources-and-policies.ts';
import { simulateTtl } from './simulate-ttl.ts';

/** TTLs that are tried, in seconds, as far as a record tests them. */
const TTL_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400,
];
/** Jitter multiplies a TTL by this at most. */
const MAX_JITTER = 1.1;
/** How much of the hit ratio may be given up for fewer upstream calls. */
const HIT_RATIO_TOLERANCE = 0.01;

/**
 * Advises a policy for each resource from recent traffic: of those that serve nothing older than `staleSeconds`, also
 * while a refresh runs, and whose hit ratio is within the tolerance of the best, the one with the fewest upstream calls.
 * Without `staleSeconds` nothing is to get older than under the policy in force.
 */
export async function advisePolicies(
  staleSeconds: number | undefined,
  policyOf: (resource: Resource) => Policy,
  recordedOf: (resource: Resource) => RecordedAccesses,
): Promise<Advice> {
  const resources: Advice['resources'] = [];
  let observedSeconds = 0;
  for (const resource of RESOURCES) {
    const recorded = recordedOf(resource);
    const policy = policyOf(resource);
    const current = await simulateTtl(recorded, policy);
    const oldest = staleSeconds ?? policy.ttl * MAX_JITTER + policy.swr;
    const longest = Math.floor(oldest / MAX_JITTER);
    const inForce = Math.min(policy.ttl, longest);
    // Nothing is known of a resource without reads: its TTL gets no longer.
    const ttls = current.hitRatio === null ? [inForce] : testedTtls(recorded, inForce, longest);
    const options: { advised: Policy; expected: Candidate }[] = [];
    for (const ttl of ttls) {
      const advised = { ...policy, ttl, swr: Math.floor(oldest - ttl * MAX_JITTER) };
      options.push({ advised, expected: await simulateTtl(recorded, advised) });
    }
    resources.push({ resource, policy, current, ...cheapestOf(options) });
    observedSeconds = Math.max(observedSeconds, Math.round(recorded.until - recorded.since));
  }
  return { observedSeconds, resources };
}

/**
 * Returns the TTLs to simulate: those that the record tests, and the one in force. A TTL longer than the record would look
 * as if nothing were ever refreshed.
 */
function testedTtls({ since, until }: RecordedAccesses, inForce: number, longest: number): Set<number> {
  const tested = [...TTL_STEPS, longest].filter((ttl) => ttl <= Math.min(longest, until - since));
  return new Set([...tested, inForce]);
}

function cheapestOf<Option extends { expected: Candidate }>(options: readonly Option[]): Option {
  const best = Math.max(...options.map(({ expected }) => expected.hitRatio ?? 0));
  const calls = ({ expected }: Option) => expected.upstreamCallsPerMinute ?? 0;
  return options
    .filter(({ expected }) => (expected.hitRatio ?? 0) >= best - HIT_RATIO_TOLERANCE)
    .reduce((one, other) => (calls(other) < calls(one) ? other : one));
}
