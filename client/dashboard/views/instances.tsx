import { useQuery } from '@tanstack/react-query';
import type { Instance, InstanceList } from '#client/dashboard/api/ops-responses.ts';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { age, bytes, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import { type Metric, metricNames } from '#client/dashboard/elements/metric.ts';
import { MetricList } from '#client/dashboard/elements/metric-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import { isAlarming } from '#shared/alert-thresholds.ts';

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
      <Panel title="All instances" docs="several-instances" metrics={metricNames(SUM)}>
        <MetricList metrics={SUM} source={data.sum} className="facts big" />
      </Panel>
      <Panel title="Each instance" docs="several-instances">
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
  {
    label: 'Requests/s',
    about: 'Requests for pages and of the API a second.',
    metric: 'http_requests_total',
    of: ({ requestsPerSecond }) => perSecond(requestsPerSecond),
  },
  {
    label: 'Hit ratio',
    about: 'Share of pages, API calls and feeds that were served from the response cache or coalesced.',
    of: ({ hitRatio }) => percent(hitRatio),
  },
  {
    label: 'Error rate',
    about: 'Share of these requests whose response had a 5xx status.',
    metric: 'http_requests_total',
    of: ({ errorRatio }) => percent(errorRatio),
    isAlarming: ({ errorRatio }) => isAlarming('errorRatio', errorRatio),
  },
  {
    label: 'p95',
    about: '95 % of these requests took no longer.',
    metric: 'http_request_duration_seconds',
    of: ({ p95Seconds }) => duration(p95Seconds),
  },
];

const SUM: Metric<InstanceList['sum']>[] = [
  {
    label: 'Ready',
    about: 'Instances that load balancers may send readers to, of those that are not silent.',
    of: ({ ready, instances }) => `${ready} of ${instances}`,
  },
  ...REQUESTS,
  {
    label: 'RSS',
    about: 'Memory of all processes.',
    metric: 'process_resident_memory_bytes',
    of: ({ residentBytes }) => bytes(residentBytes),
  },
  {
    label: 'Outbox: pending',
    about:
      'Submissions and view counts that are not delivered yet: in Redis, and what each instance has besides.',
    metric: 'outbox_messages',
    of: ({ outbox }) => count(outbox.submissions + outbox.views),
  },
  {
    label: 'Oldest message',
    about: 'Age of the oldest pending message.',
    metric: 'outbox_oldest_message_age_seconds',
    of: ({ outbox }) => age(outbox.oldestSeconds),
  },
];

function shortMode({ mode, ttlFactor }: Instance['mode']): string {
  return ttlFactor === 1 ? mode : `TTL × ${ttlFactor}`;
}

const COLUMNS: Column<Instance>[] = [
  { label: 'Instance', isText: true, of: ({ name, isOwn }) => (isOwn ? `${name} (this one)` : name) },
  {
    label: 'State',
    isText: true,
    about: 'Readiness. silent: nothing was heard of it for 15 seconds; it may serve readers all the same.',
    of: ({ state, secondsAgo }) => (state === 'silent' ? `silent for ${age(secondsAgo)}` : state),
    isAlarming: ({ state }) => state === 'silent',
  },
  {
    label: 'Changes',
    isText: true,
    about: 'Whether it has applied every purge, policy and mode of all instances.',
    of: ({ isBehind }) => (isBehind ? 'missing some' : 'applied'),
    isAlarming: ({ isBehind }) => isBehind,
  },
  ...REQUESTS,
  {
    label: 'RSS',
    about: 'Memory of the process.',
    metric: 'process_resident_memory_bytes',
    of: ({ residentBytes }) => bytes(residentBytes),
    isAlarming: ({ residentBytes }) => isAlarming('residentBytes', residentBytes),
  },
  {
    label: 'Own outbox',
    about: 'Pending submissions and view counts that it alone has: they are lost with its disk.',
    of: ({ outbox }) => count(outbox.submissions + outbox.views),
  },
  { label: 'Mode', isText: true, of: ({ mode }) => shortMode(mode) },
  { label: 'Up for', about: 'Since its start.', of: ({ uptimeSeconds }) => age(uptimeSeconds) },
  {
    label: 'Version',
    isText: true,
    about: 'Version of the package, and revision of the source.',
    metric: 'build_info',
    of: ({ version, revision }) => `${version} ${revision}`,
  },
];
