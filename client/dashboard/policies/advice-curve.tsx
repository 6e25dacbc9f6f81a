import { useQuery } from '@tanstack/react-query';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';
import type { CurvePoint } from '#shared/models/ops/ops-api-types.ts';
import { CurvePlot } from './curve-plot.tsx';
import { SIMULATED, SIMULATED_TTLS, simulatedFrom } from './simulated-metrics.ts';

const TITLE = 'What other TTLs would do';

/** Shows what each TTL saves of upstream requests, and what it costs in staleness. Choosing one only fills in the form. */
export function AdviceCurve({
  name,
  policy: { ttl, swr },
  onTry,
}: {
  name: string;
  /** In force. */
  policy: CachePolicy;
  onTry: (ttl: number) => void;
}) {
  const ops = useOps();
  const { data, error } = useQuery({
    queryKey: ['curve', name, ttl, swr],
    queryFn: () => ops.curve(name),
  });
  const isInForce = ({ policy }: CurvePoint) => policy.ttl === ttl;
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
            columns={[TTL, actionColumn(isInForce, onTry), ...COLUMNS]}
            rows={data.points}
            keyOf={({ policy }) => String(policy.ttl)}
            classOf={(point) => (isInForce(point) ? 'in-force' : '')}
          />
        </>
      )}
    </Panel>
  );
}

const { upstream, meanAge, hitRatio, fresh, outdated } = SIMULATED;

const TTL: Column<CurvePoint> = { label: 'TTL', of: ({ policy }) => age(policy.ttl) };

const COLUMNS: Column<CurvePoint>[] = [
  { label: 'Saved/min', of: ({ savedUpstreamCallsPerMinute }) => count(savedUpstreamCallsPerMinute) },
  { label: 'Mean age added', of: ({ addedStalenessSeconds }) => signed(addedStalenessSeconds) },
  ...[upstream, meanAge, hitRatio, fresh, outdated].map(({ label, of }) => ({
    label,
    of: ({ effect }: CurvePoint) => of(effect),
  })),
];

function actionColumn(
  isInForce: (point: CurvePoint) => boolean,
  onTry: (ttl: number) => void,
): Column<CurvePoint> {
  return {
    label: 'Action',
    of: (point) =>
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
      ),
  };
}

/** A difference in seconds as an age with its sign. */
function signed(seconds: number | null): string {
  if (seconds === null) return age(null);
  const rounded = Math.round(Math.abs(seconds) * 10) / 10;
  if (rounded === 0) return age(0);
  return `${seconds < 0 ? '−' : '+'}${age(rounded)}`;
}
