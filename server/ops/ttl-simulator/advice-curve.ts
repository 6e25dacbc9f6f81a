import { setImmediate } from 'node:timers/promises';
import type { RecordedAccess } from '#server/cache/access-history/resource-history.ts';
import type { Policy } from '#server/cache/default-policies.ts';
import { type Candidate, simulateTtl } from './simulate-ttl.ts';
import { testedTtls } from './ttl-advisor.ts';

/** A policy, and what it would have done to the recorded reads. */
export interface SimulatedPolicy {
  policy: Policy;
  effect: Candidate;
}

/** A policy beside the one in force. Null where nothing was read. */
export interface CurvePoint extends SimulatedPolicy {
  /** Upstream calls a minute; negative where there would have been more. */
  savedUpstreamCallsPerMinute: number | null;
  /** Seconds that reads would have got older values for, on average. */
  addedStalenessSeconds: number | null;
}

/**
 * Simulates a range of TTLs, the one in force among them, by ascending TTL: what each saves of upstream calls, and what it
 * costs in staleness. SWR and SIE stay. A TTL longer than the record is not tested by it, and left out. Yields to the event loop between simulations.
 */
export async function adviceCurve(
  recorded: RecordedAccess,
  policy: Policy,
): Promise<{ current: SimulatedPolicy; points: CurvePoint[] }> {
  const current = { policy, effect: simulateTtl(recorded, policy) };
  const points: CurvePoint[] = [];
  for (const ttl of testedTtls(recorded, policy.ttl)) {
    await setImmediate();
    const tried = { ...policy, ttl };
    const effect = simulateTtl(recorded, tried);
    points.push({
      policy: tried,
      effect,
      savedUpstreamCallsPerMinute: difference(
        current.effect.upstreamCallsPerMinute,
        effect.upstreamCallsPerMinute,
      ),
      addedStalenessSeconds: difference(effect.meanStalenessSeconds, current.effect.meanStalenessSeconds),
    });
  }
  return { current, points };
}

function difference(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.round((one - other) * 10_000) / 10_000;
}
