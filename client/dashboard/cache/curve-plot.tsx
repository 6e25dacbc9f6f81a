import { age, count, percent } from '#client/dashboard/elements/format.ts';
import { type Column, Table } from '#client/dashboard/elements/table.tsx';
import type { CurvePoint } from '#shared/models/ops/ops-api-types.ts';

const WIDTH = 480;
const HEIGHT = 150;
/** Of the curve, within its labels. */
const [LEFT, RIGHT, TOP, BOTTOM] = [56, WIDTH - 16, 10, HEIGHT - 26];

interface CurvePlotProps {
  points: readonly CurvePoint[];
  /** TTL, seconds. */
  inForce: number;
  onChoose: (ttl: number) => void;
}

/** Plots upstream calls a minute over the TTL, and lists each TTL with what it would do; choosing one fills it in. */
export function CurvePlot({ points, inForce, onChoose }: CurvePlotProps) {
  const most = Math.max(1, ...points.map(({ effect }) => effect.upstreamCallsPerMinute ?? 0));
  const longest = Math.max(2, ...points.map(({ policy }) => policy.ttl));
  // TTLs are on a logarithmic axis, which begins at a second.
  const xOf = (ttl: number) => LEFT + (Math.log(Math.max(1, ttl)) / Math.log(longest)) * (RIGHT - LEFT);
  const yOf = (calls: number | null) => BOTTOM - ((calls ?? 0) / most) * (BOTTOM - TOP);
  const shown = points.map(({ policy: { ttl }, effect }) => ({
    ttl,
    x: xOf(ttl),
    y: yOf(effect.upstreamCallsPerMinute),
  }));
  return (
    <>
      <svg className="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path className="axis" d={`M${LEFT} ${BOTTOM}H${RIGHT}M${LEFT} ${TOP}H${RIGHT}`} />
        <text x={LEFT - 6} y={TOP + 4} textAnchor="end">
          {count(most)}/min
        </text>
        <polyline className="line cool" points={shown.map(({ x, y }) => `${x},${y}`).join(' ')} />
        {shown.map(({ ttl, x, y }) => (
          <circle key={ttl} className={ttl === inForce ? 'in-force' : ''} cx={x} cy={y} r={4} />
        ))}
        <text x={RIGHT} y={HEIGHT - 6} textAnchor="end">
          TTL {age(longest)}
        </text>
      </svg>
      <Table
        label="Table of candidates"
        columns={columnsOf(inForce, onChoose)}
        rows={points}
        keyOf={({ policy }) => String(policy.ttl)}
        isChosen={({ policy }) => policy.ttl === inForce}
      />
    </>
  );
}

function columnsOf(inForce: number, onChoose: (ttl: number) => void): Column<CurvePoint>[] {
  return [
    { label: 'TTL', of: ({ policy }) => age(policy.ttl) },
    { label: 'hit ratio', of: ({ effect }) => percent(effect.hitRatio) },
    { label: 'mean age', of: ({ effect }) => age(effect.meanStalenessSeconds) },
    { label: 'outdated', of: ({ effect }) => percent(effect.outdatedRatio) },
    { label: 'calls/min', of: ({ effect }) => count(effect.upstreamCallsPerMinute) },
    { label: 'saved/min', of: ({ savedUpstreamCallsPerMinute }) => count(savedUpstreamCallsPerMinute) },
    {
      label: 'action',
      of: ({ policy: { ttl } }) =>
        ttl === inForce ? (
          'in force'
        ) : (
          <button type="button" aria-label={`Fill in a TTL of ${age(ttl)}`} onClick={() => onChoose(ttl)}>
            Fill in
          </button>
        ),
    },
  ];
}
