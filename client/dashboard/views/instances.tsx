import { useQuery } from '@tanstack/react-query';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { age, bytes, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metric.ts';
import { MetricList } from '#client/dashboard/elements/metric-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { Instance, InstanceList } from '#shared/models/ops/ops-api-types.ts';

/** As often as instances tell of themselves. */
const POLL_MS = 5_000;

const STATES: Record<'up' | 'down' | 'none', string> = {
  up: 'Instances on the same Redis. Each tells of its last ten seconds every five.',
  down: 'Redis is down: only this instance is known here. The others work alone meanwhile.',
  none: 'REDIS_URL is not set: this instance knows of no other.',
};

/** Shows each instance on the same Redis, their sum, and whether all have applied every change. */
export function Component() {
  const { data, error } = useQuery({
    queryKey: ['instances'],
    queryFn: useOps().instances,
    refetchInterval: POLL_MS,
  });
  if (error) return <p className="bad">{error.message}</p>;
  if (!data) return <p className="about">Waiting for the instances…</p>;
  return (
    <>
      <p className={data.redis === 'down' ? 'bad' : 'about'}>{STATES[data.redis ?? 'none']}</p>
      <p role="status">{appliedText(data)}</p>
      <Panel title="All instances">
        <MetricList metrics={SUM} source={data.sum} />
      </Panel>
      <Panel title="Each instance">
        <DataGrid label="Instances" columns={COLUMNS} rows={data.instances} keyOf={({ id }) => id} />
      </Panel>
    </>
  );
}

/** Says which instances have applied the purges, policies and modes of all. */
function appliedText({ instances }: InstanceList): string {
  const missing = instances.filter(({ isBehind }) => isBehind).map(({ name }) => name);
  const applied = `${instances.length - missing.length} of ${instances.length} instances have applied every change.`;
  return missing.length === 0 ? applied : `${applied} Missing: ${missing.join(', ')}.`;
}

const REQUESTS: Metric<Pick<Instance, 'requestsPerSecond' | 'errorRatio' | 'hitRatio' | 'p95Seconds'>>[] = [
  { label: 'Requests/s', of: ({ requestsPerSecond }) => perSecond(requestsPerSecond) },
  { label: 'Hit ratio', of: ({ hitRatio }) => percent(hitRatio) },
  {
    label: 'Error rate',
    of: ({ errorRatio }) => percent(errorRatio),
    isAlarming: ({ errorRatio }) => isAlarming('errorRatio', errorRatio),
  },
  { label: 'p95', of: ({ p95Seconds }) => duration(p95Seconds) },
];

const SUM: Metric<InstanceList['sum']>[] = [
  { label: 'Ready', of: ({ ready, instances }) => `${ready} of ${instances}` },
  ...REQUESTS,
  { label: 'RSS', of: ({ residentBytes }) => bytes(residentBytes) },
  { label: 'Outbox: pending', of: ({ outbox }) => count(outbox.submissions + outbox.views) },
  { label: 'Oldest message', of: ({ outbox }) => age(outbox.oldestSeconds) },
];

function shortMode({ mode, ttlFactor }: Instance['mode']): string {
  return ttlFactor === 1 ? mode : `TTL × ${ttlFactor}`;
}

const COLUMNS: Column<Instance>[] = [
  { label: 'Instance', isText: true, of: ({ name, isOwn }) => (isOwn ? `${name} (this one)` : name) },
  {
    label: 'State',
    isText: true,
    of: ({ state, secondsAgo }) => (state === 'silent' ? `silent for ${age(secondsAgo)}` : state),
    isAlarming: ({ state }) => state === 'silent',
  },
  {
    label: 'Changes',
    isText: true,
    of: ({ isBehind }) => (isBehind ? 'missing some' : 'applied'),
    isAlarming: ({ isBehind }) => isBehind,
  },
  ...REQUESTS,
  {
    label: 'RSS',
    of: ({ residentBytes }) => bytes(residentBytes),
    isAlarming: ({ residentBytes }) => isAlarming('residentBytes', residentBytes),
  },
  { label: 'Own outbox', of: ({ outbox }) => count(outbox.submissions + outbox.views) },
  { label: 'Mode', isText: true, of: ({ mode }) => shortMode(mode) },
  { label: 'Up for', of: ({ uptimeSeconds }) => age(uptimeSeconds) },
  { label: 'Version', isText: true, of: ({ version, revision }) => `${version} ${revision}` },
];
