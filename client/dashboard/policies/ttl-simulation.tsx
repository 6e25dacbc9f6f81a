import { useQuery } from '@tanstack/react-query';
import { DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { age } from '#client/dashboard/elements/format.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';
import { SIMULATED, SIMULATED_TTLS, simulatedFrom } from './simulated-metrics.ts';

const TITLE = 'What other TTLs would do';
/** Candidates, in seconds. */
const TTLS = [10, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Shows what several TTLs would have done to the recorded reads. Choosing one only fills in the form. */
export function TtlSimulation({
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
    queryKey: ['simulation', name, ttl, swr],
    queryFn: () => {
      const ttls = [...new Set([...TTLS, ttl])].sort((one, other) => one - other);
      return ops.simulate(name, ttls, swr);
    },
  });
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
          <DataGrid
            label={TITLE}
            columns={[
              SIMULATED.ttl,
              SIMULATED.hitRatio,
              SIMULATED.fresh,
              SIMULATED.upstream,
              SIMULATED.meanAge,
              SIMULATED.outdated,
              {
                label: 'Action',
                of: (candidate) =>
                  candidate.ttl === ttl ? (
                    'in force'
                  ) : (
                    <button
                      type="button"
                      aria-label={`Fill in a TTL of ${age(candidate.ttl)}`}
                      onClick={() => onTry(candidate.ttl)}
                    >
                      Fill in
                    </button>
                  ),
              },
            ]}
            rows={data.candidates}
            keyOf={(candidate) => String(candidate.ttl)}
            classOf={(candidate) => (candidate.ttl === ttl ? 'in-force' : '')}
          />
        </>
      )}
    </Panel>
  );
}
