import { useQuery } from '@tanstack/react-query';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { numeric } from '#client/dashboard/elements/metrics.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import type { CachePolicy } from '#shared/models/metrics.ts';
import type { CurvePoint } from '#shared/models/ops/ops-api-types.ts';
import { CurvePlot } from './curve-plot.tsx';
import { SIMULATED, SIMULATED_TTLS, simulatedFrom } from './simulated-metrics.ts';

const TITLE = 'What other TTLs would do';

interface AdviceCurveProps {
  name: string;
  /** In force. */
  policy: CachePolicy;
  onTry: (ttl: number) => void;
}

/** Shows what each TTL saves of upstream requests, and what it costs in staleness. Choosing one only fills in the form. */
export function AdviceCurve({ name, policy: { ttl, swr }, onTry }: AdviceCurveProps) {
  const { data, error } = useQuery({
    queryKey: ['curve', name, ttl, swr],
    queryFn: () => ops.curve(name),
  });
  const isInForce = ({ policy }: CurvePoint) => policy.ttl === ttl;
  const action = (point: CurvePoint) =>
    isInForce(point) ? (
      'in force'
    ) : (
      <button
        type="button"
        aria-label={`Fill in a TTL of ${age(point.policy.ttl)}`}
        onClick={() => onTry(point.policy.ttl)}
      >
        Fill in
      </button>
    );
  return (
    <Panel title={TITLE} section={SIMULATED_TTLS}>
      {error && <p className="bad">{error.message}</p>}
      {data?.requests === 0 && <p className="about">There are no recorded reads yet.</p>}
      {data && data.requests > 0 && (
        <>
          <p className="about">
            {simulatedFrom(data)} Longer TTLs are untested. Choosing one fills in the form; nothing changes
            yet.
          </p>
          <CurvePlot points={data.points} isInForce={isInForce} resource={name} />
          <DataGrid
            label={TITLE}
            columns={[TTL, { label: 'Action', of: action }, ...EFFECTS]}
            rows={data.points}
            keyOf={({ policy }) => String(policy.ttl)}
            classOf={(point) => (isInForce(point) ? 'in-force' : '')}
          />
        </>
      )}
    </Panel>
  );
}

const TTL: Column<CurvePoint> = { label: 'TTL', of: ({ policy }) => age(policy.ttl) };

const { upstream, meanAge, hitRatio, fresh, outdated } = SIMULATED;

const EFFECTS: Column<CurvePoint>[] = [
  numeric('Saved/min', ({ savedUpstreamCallsPerMinute }) => savedUpstreamCallsPerMinute, count),
  numeric('Mean age added', ({ addedStalenessSeconds }) => addedStalenessSeconds, signedAge),
  ...[upstream, meanAge, hitRatio, fresh, outdated].map(({ label, of }) => ({
    label,
    of: ({ effect }: CurvePoint) => of(effect),
  })),
];

/** A difference in seconds as an age with its sign. */
function signedAge(seconds: number | null): string {
  const rounded = seconds && Math.round(seconds * 10) / 10;
  if (!rounded) return age(rounded);
  return `${rounded < 0 ? '−' : '+'}${age(Math.abs(rounded))}`;
}
