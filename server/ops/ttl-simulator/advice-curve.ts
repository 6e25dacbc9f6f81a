import type { RecordedAccess } from '#server/cache/access-history/resource-history.ts';
import type { Policy } from '#server/cache/default-policies.ts';
import type { Curve, CurvePoint } from '#shared/models/ops/ops-api-types.ts';
import { simulatePolicy } from './simulate-ttl.ts';
import { testedTtls } from './ttl-advisor.ts';

/**
 * Simulates a range of TTLs, the one in force among them, by ascending TTL: what each saves of upstream calls, and what it
 * costs in staleness. SWR and SIE stay. A TTL longer than the record is not tested by it, and left out.
 */
export async function adviceCurve(
  recorded: RecordedAccess,
  policy: Policy,
): Promise<Pick<Curve, 'current' | 'points'>> {
  const current = await simulatePolicy(recorded, policy);
  const points: CurvePoint[] = [];
  for (const ttl of testedTtls(recorded, policy.ttl)) {
    const tried = await simulatePolicy(recorded, { ...policy, ttl });
    points.push({
      ...tried,
      savedUpstreamCallsPerMinute: difference(
        current.effect.upstreamCallsPerMinute,
        tried.effect.upstreamCallsPerMinute,
      ),
      addedStalenessSeconds: difference(
        tried.effect.meanStalenessSeconds,
        current.effect.meanStalenessSeconds,
      ),
    });
  }
  return { current, points };
}

function difference(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.round((one - other) * 10_000) / 10_000;
}
