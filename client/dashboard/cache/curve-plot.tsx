import { age, count, percent } from '#client/dashboard/elements/format.ts';
import { type Column, Table } from '#client/dashboard/elements/table.tsx';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';

const WIDTH = 480;
const HEIGHT = 150;
/** Of the curve, within its labels. */
const [LEFT, RIGHT, TOP, BOTTOM] = [56, WIDTH - 16, 10, HEIGHT - 26];

interface CurvePlotProps {
  /** By ascending TTL; the one in force is among them. */
  candidates: readonly Candidate[];
  inForce: Candidate;
  onChoose: (ttl: number) => void;
}

/** Plots upstream calls a minute over the TTL, and lists each TTL with what it would do; choosing one fills it in. */
export function CurvePlot({ candidates, inForce, onChoose }: CurvePlotProps) {
  const most = Math.max(1, ...candidates.map(({ upstreamCallsPerMinute }) => upstreamCallsPerMinute ?? 0));
  const longest = Math.max(2, ...candidates.map(({ ttl }) => ttl));
  // TTLs are on a logarithmic axis, which begins at a second.
  const xOf = (ttl: number) => LEFT + (Math.log(Math.max(1, ttl)) / Math.log(longest)) * (RIGHT - LEFT);
  const yOf = (calls: number | null) => BOTTOM - ((calls ?? 0) / most) * (BOTTOM - TOP);
  const shown = candidates.map(({ ttl, upstreamCallsPerMinute }) => ({
    ttl,
    x: xOf(ttl),
    y: yOf(upstreamCallsPerMinute),
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
          <circle key={ttl} className={ttl === inForce.ttl ? 'in-force' : ''} cx={x} cy={y} r={4} />
        ))}
        <text x={RIGHT} y={HEIGHT - 6} textAnchor="end">
          TTL {age(longest)}
        </text>
      </svg>
      <Table
        label="Table of candidates"
        columns={columnsOf(inForce, onChoose)}
        rows={candidates}
        keyOf={({ ttl }) => String(ttl)}
        isChosen={({ ttl }) => ttl === inForce.ttl}
      />
    </>
  );
}

function columnsOf(inForce: Candidate, onChoose: (ttl: number) => void): Column<Candidate>[] {
  const callsInForce = inForce.upstreamCallsPerMinute ?? 0;
  return [
    { label: 'TTL', of: ({ ttl }) => age(ttl) },
    { label: 'hit ratio', of: ({ hitRatio }) => percent(hitRatio) },
    { label: 'mean age', of: ({ meanStalenessSeconds }) => age(meanStalenessSeconds) },
    { label: 'outdated', of: ({ outdatedRatio }) => percent(outdatedRatio) },
    { label: 'calls/min', of: ({ upstreamCallsPerMinute }) => count(upstreamCallsPerMinute) },
    {
      label: 'saved/min',
      of: ({ upstreamCallsPerMinute }) => count(callsInForce - (upstreamCallsPerMinute ?? 0)),
    },
    {
      label: 'action',
      of: ({ ttl }) =>
        ttl === inForce.ttl ? (
          'in force'
        ) : (
          <button type="button" aria-label={`Fill in a TTL of ${age(ttl)}`} onClick={() => onChoose(ttl)}>
            Fill in
          </button>
        ),
    },
  ];
}
