import { Link } from 'react-router';
import { age, count } from '#client/dashboard/elements/format.ts';
import type { CurvePoint } from '#shared/models/ops/ops-api-types.ts';
import { policyPath } from './policy-fields.ts';

const WIDTH = 480;
const HEIGHT = 240;
/** Of the curve, within its labels. */
const [LEFT, RIGHT, TOP, BOTTOM] = [64, WIDTH - 24, 12, HEIGHT - 40];
const RADIUS = 5;
/** Of the area that takes the pointer. */
const TARGET_RADIUS = 12;
const AGE_TICKS = [1, 10, 60, 600, 3_600, 36_000];
/** Shares of the most upstream requests. */
const CALL_TICKS = [0, 0.5, 1];

interface CurvePlotProps {
  points: readonly CurvePoint[];
  isInForce: (point: CurvePoint) => boolean;
  resource: string;
}

/** Plots upstream requests a minute over the mean age, a point for each TTL. The grid below it says the same to screen readers. */
export function CurvePlot({ points, isInForce, resource }: CurvePlotProps) {
  const maxCalls = Math.max(1, ...points.map(({ effect }) => effect.upstreamCallsPerMinute ?? 0));
  const maxAge = Math.max(2, ...points.map(({ effect }) => effect.meanStalenessSeconds ?? 0));
  // Ages are on a logarithmic axis, which begins at a second.
  const xOf = (seconds: number | null) =>
    Math.round(LEFT + (Math.log(Math.max(1, seconds ?? 0)) / Math.log(maxAge)) * (RIGHT - LEFT));
  const yOf = (calls: number | null) => Math.round(BOTTOM - ((calls ?? 0) / maxCalls) * (BOTTOM - TOP));
  const shown = points.map((point) => ({
    point,
    cx: xOf(point.effect.meanStalenessSeconds),
    cy: yOf(point.effect.upstreamCallsPerMinute),
  }));
  return (
    <svg className="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {AGE_TICKS.filter((tick) => tick <= maxAge).map((tick) => (
        <text key={tick} x={xOf(tick)} y={BOTTOM + 16} textAnchor="middle">
          {age(tick)}
        </text>
      ))}
      <text x={RIGHT} y={HEIGHT - 6} textAnchor="end">
        Mean age
      </text>
      {CALL_TICKS.map((tick) => tick * maxCalls).map((calls) => (
        <g key={calls}>
          <path d={`M${LEFT} ${yOf(calls)}H${RIGHT}`} />
          <text x={LEFT - 8} y={yOf(calls) + 4} textAnchor="end">
            {count(calls)}/min
          </text>
        </g>
      ))}
      <polyline points={shown.map(({ cx, cy }) => `${cx},${cy}`).join(' ')} />
      {shown.map(({ point, ...at }) => (
        <Link key={point.policy.ttl} to={policyPath(resource, point.policy)} tabIndex={-1}>
          <title>TTL {age(point.policy.ttl)}</title>
          <circle className="target" {...at} r={TARGET_RADIUS} />
          <circle className={isInForce(point) ? 'in-force' : ''} {...at} r={RADIUS} />
        </Link>
      ))}
    </svg>
  );
}
