import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { ops, useChanges, useInstances } from '#client/dashboard/api/ops-api.ts';
import { age, clockTime, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import { inspectorPath, Runbook } from '#client/dashboard/elements/runbook.tsx';
import { type Column, Failure, Table } from '#client/dashboard/elements/table.tsx';
import { quantile, quantileText } from '#client/dashboard/samples/quantile.ts';
import type { SampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { useLive, useLiveState, useSamples } from '#client/dashboard/samples/use-samples.ts';
import { isAlarming, OBJECTIVES } from '#shared/alerts-on-dashboard.ts';
import { sampledBounds } from '#shared/metric-declarations.ts';
import type { LiveState } from '#shared/models/metrics.ts';
import type { Policies } from '#shared/models/ops/ops-api-types.ts';
import type { Resource } from '#shared/models/resources-and-policies.ts';
import { eventsOf } from './events.ts';
import { type Operation, operationsOf } from './operations.ts';
import { Plots } from './plots.tsx';
import { failedShare, hitRatio, responsesOf, slowShare, verdictOf } from './verdict.ts';

const RANGES = { 10: '10 min', 60: '1 h', 360: '6 h', 1440: '24 h' };
const VERDICT_MINUTES = 60;
const LONG_MINUTES = 360;
/** Findings of the verdict that are told with what to do about them. */
const MAX_SHOWN = 3;

/** What is wrong, since when, and what to do; how responses were served, what the upstream was asked, what waits. */
export function Overview() {
  const { range = '60' } = useParams();
  const minutes = Object.keys(RANGES).includes(range) ? Number(range) : VERDICT_MINUTES;
  const navigate = useNavigate();
  const { window, error } = useSamples(minutes);
  const state = useLiveState();
  const { changes } = useChanges();
  return (
    <>
      <Verdict />
      <div className="ranges">
        <label htmlFor="range">Range</label>
        <select id="range" value={minutes} onChange={({ target }) => navigate(`/overview/${target.value}`)}>
          {Object.entries(RANGES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {window && state && <Numbers window={window} state={state} />}
      </div>
      <Failure error={error} />
      {window && state && (
        <div className="overview-body">
          <Plots window={window} upstreamTimeoutMs={state.upstreamTimeoutMs} />
          <Operations window={window} state={state} />
          <section aria-labelledby="events-title">
            <h2 id="events-title">Events</h2>
            <ol className="events">
              {eventsOf(window, changes).map(({ at, text }) => (
                <li key={`${at} ${text}`}>
                  <time dateTime={new Date(at).toISOString()}>{clockTime(new Date(at))}</time> {text}
                </li>
              ))}
            </ol>
          </section>
        </div>
      )}
    </>
  );
}

/** One sentence on what is so, since when, and what to do. */
function Verdict() {
  const { window } = useSamples(VERDICT_MINUTES);
  const { window: long } = useSamples(LONG_MINUTES);
  const state = useLiveState();
  const isConnected = useLive(({ connection }) => connection !== 'lost');
  const { changes } = useChanges();
  const { data } = useInstances();
  if (window === null || state === null) return <p className="verdict">…</p>;
  const situation = { window, long, state, changes, instances: data?.instances ?? [], isConnected };
  const { readers, findings, notes, advice } = verdictOf(situation);
  const [shown, others] = [findings.slice(0, MAX_SHOWN), findings.slice(MAX_SHOWN)];
  return (
    <section className={`verdict ${shown[0]?.severity ?? 'good'}`} aria-label="Verdict">
      <p role="status">
        {isConnected ? `${readers}. ` : ''}
        {shown.map(({ text }) => `${text}. `)}
        {notes.map((note) => `${note}. `)}
        <strong>{advice}.</strong>
      </p>
      <div className="runbooks">
        <p className="about">
          As of {clockTime(new Date(window.at.at(-1) ?? 0))}
          {!isConnected && ': the numbers below are old'}
          {others.length > 0 && `; ${others.length} more: ${others.map(({ alert }) => alert).join(', ')}`}
        </p>
        {shown.map(({ alert, inspect }) => (
          <Runbook key={alert} alert={alert} inspect={inspect} />
        ))}
      </div>
    </section>
  );
}

/** The numbers of the range, and the burn rates. */
function Numbers({ window, state: { upstreamTimeoutMs } }: { window: SampleWindow; state: LiveState }) {
  const { window: long } = useSamples(LONG_MINUTES);
  const { window: hour } = useSamples(VERDICT_MINUTES);
  const seconds = Math.max(1, window.seconds());
  const errorRatio = failedShare(window, 0, 1);
  const buckets = window.buckets('http_request_duration_seconds');
  const bounds = sampledBounds('http_request_duration_seconds', upstreamTimeoutMs);
  const lag = window.latest('event_loop_lag_seconds');
  const numbers: [label: string, metric: string, value: string, isAlarming?: boolean][] = [
    ['Requests/s', 'http_requests_total', perSecond(responsesOf(window) / seconds)],
    ['Hit ratio', 'response_cache_requests_total', percent(hitRatio(window))],
    [
      'Error rate',
      'http_requests_total{status=~"5.."}',
      percent(errorRatio),
      isAlarming('AvailabilityBurnFast', errorRatio),
    ],
    ['p95', 'http_request_duration_seconds', quantileText(quantile(0.95, buckets, bounds))],
    ['Burn rate, errors', 'http_requests_total', burns([hour, long], OBJECTIVES.availability, failedShare)],
    ['Burn rate, slow', 'http_request_duration_seconds', burns([hour, long], OBJECTIVES.latency, slowShare)],
    ['Event-loop lag', 'event_loop_lag_seconds', duration(lag), isAlarming('EventLoopLagHigh', lag)],
  ];
  return (
    <dl className="numbers-strip">
      {numbers.map(([label, metric, value, alarming]) => (
        <div key={label} title={metric}>
          <dt>{label}</dt>
          <dd className={alarming ? 'alarming' : ''}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How fast the error budget goes: 1 uses it up in 30 days. Of the last hour and the last six. */
function burns(
  windows: readonly (SampleWindow | null)[],
  objective: number,
  shareOf: (window: SampleWindow) => number | null,
): string {
  return windows
    .map((window) => {
      const share = window && shareOf(window);
      return share === null ? '–' : count(Math.round((share / (1 - objective)) * 10) / 10);
    })
    .join(' / ');
}

const STRETCH = 5;

/** A row for each upstream operation, the worst first. */
function Operations({ window, state }: { window: SampleWindow; state: LiveState }) {
  const policies = useQuery({ queryKey: ['policies'], queryFn: ops.policies });
  const rows = operationsOf(window, state);
  const resources = [...new Set(rows.flatMap(({ resource }) => resource ?? []))];
  const saved = useSavedShares(resources, policies.data);
  const now = window.at.at(-1) ?? 0;
  const ttlOf = ({ resource }: Operation) => resource && (policies.data?.[resource]?.ttl ?? null);
  const savedBy = ({ resource, perMinute }: Operation) => {
    const share = (resource && saved.get(resource)) ?? null;
    return share === null ? '–' : `${count(perMinute * share)}/min`;
  };
  const columns: Column<Operation>[] = [
    {
      label: 'operation',
      title: 'The label operation of metrics of the upstream',
      of: ({ operation }) => operation,
    },
    {
      label: 'errors',
      title: 'upstream_requests_total{outcome}: share, and count by kind',
      of: errorsOf,
      classOf: (row) => `words ${alarmingIf(isAlarming('UpstreamErrorRateHigh', row.errorRatio))}`,
    },
    {
      label: 'not sent',
      title: 'upstream_refusals_total: refused by an open circuit breaker or a full queue',
      of: ({ notSent }) => count(notSent),
    },
    {
      label: 'p95',
      title: 'upstream_request_duration_seconds',
      of: ({ p95 }) => quantileText(p95),
      classOf: ({ p95 }) => alarmingIf(isAlarming('UpstreamSlow', p95?.seconds ?? null)),
    },
    {
      label: 'last failure',
      title: 'The reason, how long ago, and the key that it was about',
      of: (row) => <LastFailure row={row} now={now} />,
      classOf: () => 'words',
    },
    {
      label: 'calls/min',
      title: 'upstream_request_duration_seconds: requests that were sent',
      of: ({ perMinute }) => count(perMinute),
    },
    {
      label: `TTL × ${STRETCH} saves`,
      title: 'Of these calls a minute, by the share that the TTL simulator finds in the recorded reads',
      of: savedBy,
    },
    {
      label: 'resource',
      title: 'Its policy and its entries: Cache',
      of: ({ resource }) => (resource ? <Link to={`/cache/${resource}`}>{resource}</Link> : 'delivery'),
    },
    { label: 'TTL', title: 'In force', of: (row) => age(ttlOf(row)) },
    {
      label: 'age served',
      title: 'cache_served_age_seconds_total: mean age of what data reads were served from the cache',
      of: ({ servedAgeSeconds }) => age(servedAgeSeconds && Math.round(servedAgeSeconds)),
    },
  ];
  return (
    <section className="operations" aria-labelledby="operations-title">
      <h2 id="operations-title" className="visually-hidden">
        Upstream operations
      </h2>
      <Failure error={policies.error} />
      <Table
        label="Table of upstream operations"
        columns={columns}
        rows={rows}
        keyOf={({ operation }) => operation}
        empty="Nothing was asked of the upstream."
      />
    </section>
  );
}

const alarmingIf = (isSo: boolean) => (isSo ? 'alarming' : '');

function errorsOf({ failed, errorRatio, errors, droppedItems }: Operation): string {
  const kinds = errors.map(([kind, n]) => `${count(n)} ${kind}`).join(', ');
  const dropped = droppedItems > 0 ? `; ${count(droppedItems)} items left out` : '';
  return (failed === 0 ? '0' : `${percent(errorRatio)} (${kinds})`) + dropped;
}

function LastFailure({ row: { last, lastDrop }, now }: { row: Operation; now: number }) {
  const latest = (lastDrop?.at ?? 0) > (last?.at ?? 0) ? lastDrop : last;
  if (latest === null) return '–';
  const text = `${latest.reason}, ${age(Math.max(0, Math.round((now - latest.at) / 1000)))} ago`;
  return latest.key === null ? text : <Link to={inspectorPath(latest.key)}>{text}</Link>;
}

const SIMULATED_MS = 60_000;

/** Returns the share of the upstream calls that a longer TTL would save, as far as the recorded accesses tell. */
function useSavedShares(
  resources: readonly Resource[],
  policies: Policies | undefined,
): ReadonlyMap<Resource, number> {
  const simulations = useQueries({
    queries: resources.map((resource) => {
      const ttl = (policies?.[resource]?.ttl ?? 0) * STRETCH;
      return {
        queryKey: ['simulate', resource, ttl],
        queryFn: () => ops.simulate(resource, [ttl]),
        enabled: ttl > 0,
        staleTime: SIMULATED_MS,
        refetchInterval: SIMULATED_MS,
      };
    }),
  });
  return new Map(
    resources.flatMap((resource, index): [Resource, number][] => {
      const data = simulations[index]?.data;
      const [candidate] = data?.candidates ?? [];
      const before = data?.current.upstreamCallsPerMinute ?? 0;
      const after = candidate?.upstreamCallsPerMinute ?? null;
      const isTested = data !== undefined && candidate !== undefined && data.observedSeconds >= candidate.ttl;
      return isTested && before > 0 && after !== null ? [[resource, 1 - after / before]] : [];
    }),
  );
}
