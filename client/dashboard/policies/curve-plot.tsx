import { Link } from 'react-router';
import { age, count } from '#client/dashboard/elements/format.ts';
import type { CurvePoint } from '#shared/models/ops/ops-api-types.ts';
import { policyPath } from './policy-fields.ts';

const WIDTH = 480;
const HEIGHT = 240;
/** Around the curve, for its labels. */
const MARGIN = { top: 12, right: 24, bottom: 40, left: 64 };
const RADIUS = 5;
/** Of the area that takes the pointer. */
const TARGET_RADIUS = 12;
/** Seconds. Ages are on a logarithmic axis, which has no zero. */
const MIN_AGE = 1;
const AGE_TICKS = [1, 10, 60, 600, 3_600, 36_000];
const CALL_TICKS = 3;

/** Plots upstream requests a minute over the mean age, a point for each TTL. The grid below it says the same to screen readers. */
export function CurvePlot({
  points,
  isInForce,
  resource,
}: {
  points: readonly CurvePoint[];
  isInForce: (point: CurvePoint) => boolean;
  resource: string;
}) {
  const maxCalls = maxOf(points, ({ effect }) => effect.upstreamCallsPerMinute);
  const maxAge = maxOf(points, ({ effect }) => effect.meanStalenessSeconds);
  const shown = points.map((point) => ({
    point,
    cx: xOf(point.effect.meanStalenessSeconds ?? 0, maxAge),
    cy: yOf(point.effect.upstreamCallsPerMinute ?? 0, maxCalls),
  }));
  return (
    <svg className="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {AGE_TICKS.filter((tick) => tick <= maxAge).map((tick) => (
        <text key={tick} x={xOf(tick, maxAge)} y={HEIGHT - MARGIN.bottom + 16} textAnchor="middle">
          {age(tick)}
        </text>
      ))}
      <text x={WIDTH - MARGIN.right} y={HEIGHT - 6} textAnchor="end">
        Mean age
      </text>
      {Array.from({ length: CALL_TICKS }, (_, index) => (maxCalls * index) / (CALL_TICKS - 1)).map((tick) => (
        <g key={tick}>
          <path d={`M${MARGIN.left} ${yOf(tick, maxCalls)}H${WIDTH - MARGIN.right}`} />
          <text x={MARGIN.left - 8} y={yOf(tick, maxCalls) + 4} textAnchor="end">
            {count(tick)}/min
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

function maxOf(points: readonly CurvePoint[], value: (point: CurvePoint) => number | null): number {
  return Math.max(1, ...points.map((point) => value(point) ?? 0));
}

function xOf(seconds: number, max: number): number {
  const share = Math.log(Math.max(MIN_AGE, seconds) / MIN_AGE) / Math.log(Math.max(max, 2) / MIN_AGE);
  return Math.round(MARGIN.left + share * (WIDTH - MARGIN.left - MARGIN.right));
}

function yOf(calls: number, max: number): number {
  return Math.round(HEIGHT - MARGIN.bottom - (calls / max) * (HEIGHT - MARGIN.top - MARGIN.bottom));
}
