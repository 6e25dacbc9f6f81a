import { useQuery } from '@tanstack/react-query';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Column, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { age, bytes, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import { type Metric, MetricList, numeric } from '#client/dashboard/elements/metrics.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import type { Instance, InstanceList } from '#shared/models/ops/ops-api-types.ts';

/** As often as instances tell of themselves. */
const POLL_MS = 5_000;

const STATES = {
  up: 'Instances on the same Redis. Each tells of its last ten seconds every five.',
  down: 'Redis is down: only this instance is known here. The others work alone meanwhile.',
  none: 'REDIS_URL is not set: this instance knows of no other.',
};

/** Shows each instance on the same Redis, their sum, and whether all have applied every change. */
export function Component() {
  const { data, error } = useQuery({
    queryKey: ['instances'],
    queryFn: ops.instances,
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
      <GridPanel
        title="Each instance"
        label="Instances"
        columns={COLUMNS}
        rows={data.instances}
        keyOf={({ id }) => id}
      />
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
  numeric('Requests/s', ({ requestsPerSecond }) => requestsPerSecond, perSecond),
  numeric('Hit ratio', ({ hitRatio }) => hitRatio, percent),
  numeric('Error rate', ({ errorRatio }) => errorRatio, percent, 'AvailabilityBurnFast'),
  numeric('p95', ({ p95Seconds }) => p95Seconds, duration),
];

const SUM: Metric<InstanceList['sum']>[] = [
  { label: 'Ready', of: ({ ready, instances }) => `${ready} of ${instances}` },
  ...REQUESTS,
  numeric('RSS', ({ residentBytes }) => residentBytes, bytes),
  numeric('Outbox: pending', ({ outbox }) => outbox.submissions + outbox.views, count),
  numeric('Oldest message', ({ outbox }) => outbox.oldestSeconds, age),
];

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
  numeric('RSS', ({ residentBytes }) => residentBytes, bytes, 'MemoryHigh'),
  numeric('Own outbox', ({ outbox }) => outbox.submissions + outbox.views, count),
  {
    label: 'Mode',
    isText: true,
    of: ({ mode: { mode, ttlFactor } }) => (ttlFactor === 1 ? mode : `TTL × ${ttlFactor}`),
  },
  numeric('Up for', ({ uptimeSeconds }) => uptimeSeconds, age),
  { label: 'Version', isText: true, of: ({ version, revision }) => `${version} ${revision}` },
];
