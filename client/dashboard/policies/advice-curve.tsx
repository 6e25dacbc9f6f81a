import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { Curve, CurvePoint } from '#shared/models/ops/ops-api-types.ts';
import { CurvePlot } from './curve-plot.tsx';
import { policyPath } from './policy-fields.ts';
import { SIMULATED, simulatedFrom } from './simulated-metrics.ts';

/** Shows what each TTL of a resource saves of upstream requests, and what it costs in staleness. Each can be applied. */
export function AdviceCurve() {
  const ops = useOps();
  const resources = Object.keys(useLive().metrics?.resources ?? {});
  const [chosen, setChosen] = useState('article');
  const { data, error } = useQuery({ queryKey: ['curve', chosen], queryFn: () => ops.curve(chosen) });
  return (
    <Panel title="Upstream requests saved against staleness">
      <div className="fields">
        <div className="field">
          <label htmlFor="curve-resource">Resource</label>
          <select id="curve-resource" value={chosen} onChange={({ target }) => setChosen(target.value)}>
            {(resources.length > 0 ? resources : [chosen]).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      </div>
      {error && <p className="bad">{error.message}</p>}
      {data?.requests === 0 && <p className="about">There are no recorded reads of {chosen} yet.</p>}
      {data && data.requests > 0 && <Points curve={data} />}
    </Panel>
  );
}

function Points({ curve }: { curve: Curve }) {
  const { resource, current, points } = curve;
  return (
    <>
      <p className="about">
        {simulatedFrom(curve)} Longer TTLs are untested. Choose a point to fill in its policy; nothing changes
        before you confirm it there.
      </p>
      <CurvePlot curve={curve} />
      <DataGrid
        label="Points of the curve"
        columns={columnsOf(resource, current.policy.ttl)}
        rows={points}
        keyOf={({ policy }) => String(policy.ttl)}
        classOf={({ policy }) => (policy.ttl === current.policy.ttl ? 'in-force' : '')}
      />
    </>
  );
}

function columnsOf(resource: string, inForce: number): Column<CurvePoint>[] {
  return [
    { label: 'TTL', of: ({ policy }) => age(policy.ttl) },
    { label: 'Saved/min', of: ({ savedUpstreamCallsPerMinute }) => count(savedUpstreamCallsPerMinute) },
    { label: 'Mean age added', of: ({ addedStalenessSeconds }) => signed(addedStalenessSeconds) },
    { ...SIMULATED.upstream, of: ({ effect }) => SIMULATED.upstream.of(effect) },
    { ...SIMULATED.meanAge, of: ({ effect }) => SIMULATED.meanAge.of(effect) },
    { ...SIMULATED.hitRatio, of: ({ effect }) => SIMULATED.hitRatio.of(effect) },
    { ...SIMULATED.outdated, of: ({ effect }) => SIMULATED.outdated.of(effect) },
    {
      label: 'Action',
      of: ({ policy }) =>
        policy.ttl === inForce ? (
          'in force'
        ) : (
          <Link to={policyPath(resource, policy)} aria-label={`Preview a TTL of ${age(policy.ttl)}`}>
            Preview
          </Link>
        ),
    },
  ];
}

/** A difference in seconds as an age with its sign. */
function signed(seconds: number | null): string {
  if (seconds === null) return age(null);
  const rounded = Math.round(Math.abs(seconds) * 10) / 10;
  if (rounded === 0) return age(0);
  return `${seconds < 0 ? '−' : '+'}${age(rounded)}`;
}
