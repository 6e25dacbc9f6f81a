import { setImmediate } from 'node:timers/promises';
import type { RecordedAccess } from '#server/cache/access-history/resource-history.ts';
import type { Policy } from '#server/cache/default-policies.ts';
import { byResource, RESOURCES, type Resource } from '#shared/models/resources.ts';
import { type Candidate, simulateTtl } from './simulate-ttl.ts';

/** What an operator wants: a bound of the upstream's load, or of the age of what is served. */
export type Goal = { upstreamCallsPerMinute: number } | { staleSeconds: number };

/** The advised policy of a resource, and its effect beside that of the policy in force. */
export interface AdvisedPolicy {
  resource: Resource;
  policy: Policy;
  advised: Policy;
  current: Candidate;
  expected: Candidate;
}

export interface Advice {
  goal: Goal;
  /** False: no policy reaches the goal on this traffic; the nearest is advised. */
  reachable: boolean;
  /** How far back the recorded reads go. For each resource, no TTL is advised that its own do not test. */
  observedSeconds: number;
  resources: AdvisedPolicy[];
  /** Upstream calls a minute of all resources; null where nothing was read. */
  total: { current: number | null; expected: number | null };
}

export interface AdviceDeps {
  policyOf: (resource: Resource) => Policy;
  historyOf: (resource: Resource) => RecordedAccess;
}

/** TTLs that are tried, in seconds, as far as a record tests them. */
const TTL_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400,
];

/** Jitter multiplies a TTL by this at most. */
const MAX_JITTER = 1.1;

/** How much of the hit ratio may be given up for fewer upstream calls. */
const HIT_RATIO_TOLERANCE = 0.01;

/**
 * Returns the TTLs to simulate, ascending: those that the record tests, and the one in force. A TTL longer than the record
 * would look as if nothing were ever refreshed. `longest`: the longest that is wanted.
 */
export function testedTtls(
  { since, until }: RecordedAccess,
  inForce: number,
  longest = Number.POSITIVE_INFINITY,
): number[] {
  const tested = [...TTL_STEPS, longest].filter((ttl) => ttl <= Math.min(longest, until - since));
  return [...new Set([...tested, Math.min(inForce, longest)])].sort((one, other) => one - other);
}

interface Simulated {
  policy: Policy;
  effect: Candidate;
}

type Simulate = (resource: Resource, policy: Policy) => Promise<Simulated>;

interface Choice {
  chosen: Record<Resource, Simulated>;
  reachable: boolean;
}

/** Advises a policy for each resource from recent traffic. Yields to the event loop between simulations. */
export async function advisePolicies(goal: Goal, { policyOf, historyOf }: AdviceDeps): Promise<Advice> {
  const histories = byResource(historyOf);
  const simulate: Simulate = async (resource, policy) => {
    await setImmediate();
    return { policy, effect: simulateTtl(histories[resource], policy) };
  };
  const present = await forEach((resource) => simulate(resource, policyOf(resource)));
  const { chosen, reachable } =
    'staleSeconds' in goal
      ? await boundAge(goal.staleSeconds, present, simulate, histories)
      : await boundUpstreamCalls(goal.upstreamCallsPerMinute, present, simulate, histories);
  return {
    goal,
    reachable,
    observedSeconds: Math.round(
      Math.max(...RESOURCES.map((of) => histories[of].until - histories[of].since)),
    ),
    resources: RESOURCES.map((resource) => ({
      resource,
      policy: present[resource].policy,
      advised: chosen[resource].policy,
      current: present[resource].effect,
      expected: chosen[resource].effect,
    })),
    total: { current: totalCalls(Object.values(present)), expected: totalCalls(Object.values(chosen)) },
  };
}

/**
 * Chooses policies that serve nothing older than `seconds`, also while a refresh runs: TTL and SWR together are at most
 * that. Of those whose hit ratio is within the tolerance of the best, the one with the fewest upstream calls.
 */
async function boundAge(
  seconds: number,
  present: Record<Resource, Simulated>,
  simulate: Simulate,
  histories: Record<Resource, RecordedAccess>,
): Promise<Choice> {
  const longest = Math.floor(seconds / MAX_JITTER);
  const chosen = await forEach(async (resource) => {
    const { policy, effect } = present[resource];
    const split = (ttl: number) => ({ ...policy, ttl, swr: Math.floor(seconds - ttl * MAX_JITTER) });
    if (effect.hitRatio === null) return simulate(resource, split(Math.min(policy.ttl, longest)));
    const options: Simulated[] = [];
    for (const ttl of testedTtls(histories[resource], policy.ttl, longest))
      options.push(await simulate(resource, split(ttl)));
    const best = Math.max(...options.map(({ effect }) => effect.hitRatio ?? 0));
    const good = options.filter(({ effect }) => (effect.hitRatio ?? 0) >= best - HIT_RATIO_TOLERANCE);
    return good.reduce((one, other) => (callsOf(other) < callsOf(one) ? other : one));
  });
  return { chosen, reachable: true };
}

/**
 * Chooses policies that cost at most `calls` a minute in all (greedy): every resource starts with the shortest TTL, and
 * the TTL is raised a step where that saves most calls for the staleness it adds.
 */
async function boundUpstreamCalls(
  calls: number,
  present: Record<Resource, Simulated>,
  simulate: Simulate,
  histories: Record<Resource, RecordedAccess>,
): Promise<Choice> {
  const steps = await forEach(async (resource) => {
    // Nothing is known of a resource without reads: its policy stays.
    if (present[resource].effect.hitRatio === null) return [present[resource]];
    const { policy } = present[resource];
    const tried: Simulated[] = [];
    for (const ttl of testedTtls(histories[resource], policy.ttl))
      tried.push(await simulate(resource, { ...policy, ttl }));
    return tried;
  });
  const at = byResource(() => 0);
  const chosen = (resource: Resource, step = at[resource]) => steps[resource][step] ?? present[resource];
  const total = () => RESOURCES.reduce((sum, resource) => sum + callsOf(chosen(resource)), 0);

  while (total() > calls) {
    const raises = RESOURCES.filter((resource) => at[resource] + 1 < steps[resource].length).map(
      (resource) => ({
        resource,
        gain: gainOf(chosen(resource), chosen(resource, at[resource] + 1), histories[resource].reads),
      }),
    );
    const [first, ...others] = raises;
    if (!first) break;
    at[others.reduce((one, other) => (other.gain > one.gain ? other : one), first).resource]++;
  }
  return { chosen: byResource((resource) => chosen(resource)), reachable: total() <= calls };
}

async function forEach<T>(of: (resource: Resource) => Promise<T>): Promise<Record<Resource, T>> {
  const made = new Map<Resource, T>();
  for (const resource of RESOURCES) made.set(resource, await of(resource));
  return byResource((resource) => {
    const one = made.get(resource);
    if (one === undefined) throw new Error(`${resource} was left out`);
    return one;
  });
}

/** Returns the upstream calls saved for each second of staleness that all reads together gain. */
function gainOf(before: Simulated, after: Simulated, reads: number): number {
  const saved = callsOf(before) - callsOf(after);
  const older = (after.effect.meanStalenessSeconds ?? 0) - (before.effect.meanStalenessSeconds ?? 0);
  return saved / Math.max(older * reads, Number.EPSILON);
}

function callsOf({ effect }: Simulated): number {
  return effect.upstreamCallsPerMinute ?? 0;
}

function totalCalls(all: readonly Simulated[]): number | null {
  const known = all.map(({ effect }) => effect.upstreamCallsPerMinute).filter((calls) => calls !== null);
  return known.length === 0 ? null : Math.round(known.reduce((sum, calls) => sum + calls, 0) * 100) / 100;
}
