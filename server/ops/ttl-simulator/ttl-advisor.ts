import type { RecordedAccesses } from '#server/cache/access-ring.ts';
import type { Policy } from '#server/cache/default-policies.ts';
import type { Advice, Goal } from '#shared/models/ops/ops-api-types.ts';
import { RESOURCES, type Resource } from '#shared/models/resources.ts';
import { type SimulatedPolicy, simulatePolicy } from './simulate-ttl.ts';

export interface AdviceDeps {
  policyOf: (resource: Resource) => Policy;
  recordedOf: (resource: Resource) => RecordedAccesses;
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
function testedTtls(
  { since, until }: RecordedAccesses,
  inForce: number,
  longest = Number.POSITIVE_INFINITY,
): number[] {
  const tested = [...TTL_STEPS, longest].filter((ttl) => ttl <= Math.min(longest, until - since));
  return [...new Set([...tested, Math.min(inForce, longest)])].sort((one, other) => one - other);
}

/** A resource, what is recorded of it, and its policy in force. */
interface Observed {
  resource: Resource;
  recorded: RecordedAccesses;
  present: SimulatedPolicy;
}

interface Choice extends Observed {
  chosen: SimulatedPolicy;
}

/** Advises a policy for each resource from recent traffic. */
export async function advisePolicies(goal: Goal, { policyOf, recordedOf }: AdviceDeps): Promise<Advice> {
  const observed: Observed[] = [];
  for (const resource of RESOURCES) {
    const recorded = recordedOf(resource);
    observed.push({ resource, recorded, present: await simulatePolicy(recorded, policyOf(resource)) });
  }
  const choices =
    'staleSeconds' in goal
      ? await boundAge(goal.staleSeconds, observed)
      : await boundUpstreamCalls(goal.upstreamCallsPerMinute, observed);
  return {
    goal,
    reachable: 'staleSeconds' in goal || sumOfCalls(choices) <= goal.upstreamCallsPerMinute,
    observedSeconds: Math.round(Math.max(...observed.map(({ recorded }) => recorded.until - recorded.since))),
    resources: choices.map(({ resource, present, chosen }) => ({
      resource,
      policy: present.policy,
      advised: chosen.policy,
      current: present.effect,
      expected: chosen.effect,
    })),
    total: {
      current: totalCalls(choices.map(({ present }) => present)),
      expected: totalCalls(choices.map(({ chosen }) => chosen)),
    },
  };
}

/**
 * Chooses policies that serve nothing older than `seconds`, also while a refresh runs: TTL and SWR together are at most
 * that. Of those whose hit ratio is within the tolerance of the best, the one with the fewest upstream calls.
 */
async function boundAge(seconds: number, observed: readonly Observed[]): Promise<Choice[]> {
  const longest = Math.floor(seconds / MAX_JITTER);
  const choices: Choice[] = [];
  for (const { resource, recorded, present } of observed) {
    const { policy, effect } = present;
    const isRead = effect.hitRatio !== null;
    const ttls = isRead ? testedTtls(recorded, policy.ttl, longest) : [Math.min(policy.ttl, longest)];
    const options: SimulatedPolicy[] = [];
    for (const ttl of ttls) {
      const swr = Math.floor(seconds - ttl * MAX_JITTER);
      options.push(await simulatePolicy(recorded, { ...policy, ttl, swr }));
    }
    const best = Math.max(...options.map(({ effect }) => effect.hitRatio ?? 0));
    const good = options.filter(({ effect }) => (effect.hitRatio ?? 0) >= best - HIT_RATIO_TOLERANCE);
    const chosen = good.reduce((one, other) => (callsOf(other) < callsOf(one) ? other : one));
    choices.push({ resource, recorded, present, chosen });
  }
  return choices;
}

/**
 * Chooses policies that cost at most `calls` a minute in all (greedy): every resource starts with the shortest TTL, and
 * the TTL is raised a step where that saves most calls for the staleness it adds. Without enough steps, the nearest.
 */
async function boundUpstreamCalls(calls: number, observed: readonly Observed[]): Promise<Choice[]> {
  const choices: (Choice & { longer: SimulatedPolicy[] })[] = [];
  for (const { resource, recorded, present } of observed) {
    const steps: SimulatedPolicy[] = [];
    // Nothing is known of a resource without reads: its policy stays.
    if (present.effect.hitRatio !== null)
      for (const ttl of testedTtls(recorded, present.policy.ttl))
        steps.push(await simulatePolicy(recorded, { ...present.policy, ttl }));
    const [chosen = present, ...longer] = steps;
    choices.push({ resource, recorded, present, chosen, longer });
  }
  while (sumOfCalls(choices) > calls) {
    const raises = choices.flatMap((choice) => {
      const [raised] = choice.longer;
      return raised ? [{ choice, raised, gain: gainOf(choice.chosen, raised, choice.recorded.reads) }] : [];
    });
    const [best] = raises.sort((one, other) => other.gain - one.gain);
    if (!best) break;
    best.choice.chosen = best.raised;
    best.choice.longer.shift();
  }
  return choices;
}

/** Returns the upstream calls saved for each second of staleness that all reads together gain. */
function gainOf(before: SimulatedPolicy, after: SimulatedPolicy, reads: number): number {
  const saved = callsOf(before) - callsOf(after);
  const older = (after.effect.meanStalenessSeconds ?? 0) - (before.effect.meanStalenessSeconds ?? 0);
  return saved / Math.max(older * reads, Number.EPSILON);
}

function callsOf({ effect }: SimulatedPolicy): number {
  return effect.upstreamCallsPerMinute ?? 0;
}

function sumOfCalls(choices: readonly Choice[]): number {
  return choices.reduce((sum, { chosen }) => sum + callsOf(chosen), 0);
}

/** Null where nothing was read. */
function totalCalls(all: readonly SimulatedPolicy[]): number | null {
  if (all.every(({ effect }) => effect.upstreamCallsPerMinute === null)) return null;
  return Math.round(all.reduce((sum, one) => sum + callsOf(one), 0) * 100) / 100;
}
