import { setImmediate } from 'node:timers/promises';
import type { RecordedAccess } from '#server/cache/access-history/resource-history.ts';
import { byResource, type Policy, RESOURCES, type Resource } from '#server/cache/resources.ts';
import { type Candidate, simulateTtl } from './simulate-ttl.ts';

/** What an operator wants: a bound of the upstream's load, or of how old an answer may be. */
export type Goal = { upstreamCallsPerMinute: number } | { staleSeconds: number };

/** A policy for a resource, and what it costs beside what the present one costs. */
export interface AdvisedPolicy {
  resource: Resource;
  policy: Policy;
  advised: Policy;
  current: Candidate;
  expected: Candidate;
}

export interface Advice {
  goal: Goal;
  /** False: no policy reaches the goal on this traffic; what comes nearest is advised. */
  reachable: boolean;
  resources: AdvisedPolicy[];
  /** Upstream calls a minute of all resources; null where nothing was read. */
  total: { current: number | null; expected: number | null };
}

export interface AdviceDeps {
  policyOf: (resource: Resource) => Policy;
  trafficOf: (resource: Resource) => RecordedAccess;
}

/** Ttls that are tried, in seconds: each step is one an operator would feel. */
const LADDER = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];

/** A ttl's jitter makes it this much longer at most. */
const LONGEST_JITTER = 1.1;

/** A policy that asks the upstream less is worth this much of the hit ratio, and no more. */
const WORTH = 0.01;

interface Tried {
  policy: Policy;
  price: Candidate;
}

type TryOut = (resource: Resource, policy: Policy) => Promise<Tried>;

interface Choice {
  chosen: Record<Resource, Tried>;
  reachable: boolean;
}

/** Suggests a policy for each resource from recent traffic, with the price of each. Readers are served in between. */
export async function advisePolicies(goal: Goal, { policyOf, trafficOf }: AdviceDeps): Promise<Advice> {
  const traffics = byResource(trafficOf);
  const tryOut: TryOut = async (resource, policy) => {
    await setImmediate();
    return { policy, price: simulateTtl(traffics[resource], policy) };
  };
  const present = await forEach((resource) => tryOut(resource, policyOf(resource)));
  const { chosen, reachable } =
    'staleSeconds' in goal
      ? await freshEnough(goal.staleSeconds, present, tryOut)
      : await cheapEnough(goal.upstreamCallsPerMinute, present, tryOut, (of) => traffics[of].reads);
  return {
    goal,
    reachable,
    resources: RESOURCES.map((resource) => ({
      resource,
      policy: present[resource].policy,
      advised: chosen[resource].policy,
      current: present[resource].price,
      expected: chosen[resource].price,
    })),
    total: { current: callsOf(Object.values(present)), expected: callsOf(Object.values(chosen)) },
  };
}

/**
 * No answer older than `seconds`, also where it is asked for while a refresh runs: ttl and swr share them out. Of the
 * ways to do so the one with the fewest calls, among those that hardly let more readers wait than the best.
 */
async function freshEnough(
  seconds: number,
  present: Record<Resource, Tried>,
  tryOut: TryOut,
): Promise<Choice> {
  const longest = Math.floor(seconds / LONGEST_JITTER);
  const ttls = [...LADDER.filter((ttl) => ttl < longest), longest];
  const chosen = await forEach(async (resource) => {
    const { policy, price } = present[resource];
    const split = (ttl: number) => ({ ...policy, ttl, swr: Math.floor(seconds - ttl * LONGEST_JITTER) });
    if (price.hitRatio === null) return tryOut(resource, split(Math.ceil(longest / 2)));
    const ways: Tried[] = [];
    for (const ttl of ttls) ways.push(await tryOut(resource, split(ttl)));
    const best = Math.max(...ways.map((way) => way.price.hitRatio ?? 0));
    const good = ways.filter((way) => (way.price.hitRatio ?? 0) >= best - WORTH);
    return good.reduce((one, other) => (costOf(other) < costOf(one) ? other : one));
  });
  return { chosen, reachable: true };
}

/**
 * At most `calls` a minute in all, spent where readers notice: every resource starts as fresh as can be, and the
 * ttl is raised a step where that saves most calls for what it adds to the age of what readers get.
 */
async function cheapEnough(
  calls: number,
  present: Record<Resource, Tried>,
  tryOut: TryOut,
  readersOf: (resource: Resource) => number,
): Promise<Choice> {
  const steps = await forEach(async (resource) => {
    // Nothing is known of what nobody read: it stays as it is.
    if (present[resource].price.hitRatio === null) return [present[resource]];
    const tried: Tried[] = [];
    for (const ttl of LADDER) tried.push(await tryOut(resource, { ...present[resource].policy, ttl }));
    return tried;
  });
  const at = byResource(() => 0);
  const tried = (resource: Resource, step = at[resource]) => steps[resource][step] ?? present[resource];
  const total = () => RESOURCES.reduce((sum, resource) => sum + costOf(tried(resource)), 0);

  while (total() > calls) {
    const raises = RESOURCES.filter((resource) => at[resource] + 1 < steps[resource].length).map(
      (resource) => ({
        resource,
        worth: worthOf(tried(resource), tried(resource, at[resource] + 1), readersOf(resource)),
      }),
    );
    const [first, ...others] = raises;
    if (!first) break;
    at[others.reduce((one, other) => (other.worth > one.worth ? other : one), first).resource]++;
  }
  return { chosen: byResource((resource) => tried(resource)), reachable: total() <= calls };
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

/** Calls saved for each second by which readers' answers get older on the whole. */
function worthOf(before: Tried, after: Tried, readers: number): number {
  const saved = costOf(before) - costOf(after);
  const older = (after.price.meanStalenessSeconds ?? 0) - (before.price.meanStalenessSeconds ?? 0);
  return saved / Math.max(older * readers, Number.EPSILON);
}

function costOf({ price }: Tried): number {
  return price.upstreamCallsPerMinute ?? 0;
}

function callsOf(tried: readonly Tried[]): number | null {
  const known = tried.map(({ price }) => price.upstreamCallsPerMinute).filter((calls) => calls !== null);
  return known.length === 0 ? null : Math.round(known.reduce((sum, calls) => sum + calls, 0) * 100) / 100;
}
