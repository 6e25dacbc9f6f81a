import { memo, useState } from 'react';
import { Link } from 'react-router';
import { type Column, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { age, bytes, count, percent } from '#client/dashboard/elements/format.ts';
import { numeric } from '#client/dashboard/elements/metrics.tsx';
import { Sparkline } from '#client/dashboard/elements/sparkline.tsx';
import { FIELD_LABELS } from '#client/dashboard/policies/policy-fields.ts';
import { isAlarming } from '#shared/alert-rules.ts';
import type { CachePolicy, LiveResource } from '#shared/models/metrics.ts';
import { useLive } from './use-live.ts';

/** By the minute, oldest first. */
type HitRatios = readonly (number | null)[];

type Resource = LiveResource & { name: string; hitRatios: HitRatios };

/** A value of the policy in force; the configured one behind an arrow where it differs. */
function policyColumn(name: keyof CachePolicy): Column<Resource> {
  return {
    label: FIELD_LABELS[name],
    of: ({ policy, configured }) => [...new Set([policy[name], configured[name]])].map(age).join(' ← '),
  };
}

const COLUMNS: Column<Resource>[] = [
  {
    label: 'Resource',
    of: ({ name, changed }) => (
      <>
        <Link to={`/policies/${name}`}>{name}</Link>
        {changed && <span className="badge">changed</span>}
      </>
    ),
  },
  policyColumn('ttl'),
  policyColumn('swr'),
  policyColumn('sie'),
  numeric('Entries', ({ entries }) => entries, count),
  numeric('Size', (resource) => resource.bytes, bytes),
  numeric('Hit ratio', ({ lastMinute }) => lastMinute.hitRatio, percent),
  { label: '30 min', of: hitRatioLine },
  numeric('Stale ratio', ({ lastMinute }) => lastMinute.staleRatio, percent, 'StaleRatioHigh'),
  numeric('Age served', ({ lastMinute }) => lastMinute.meanAgeSeconds, age),
  numeric('Reads/min', ({ lastMinute }) => lastMinute.reads, count),
  numeric('Upstream requests/min', ({ lastMinute }) => lastMinute.upstreamRequests, count),
  {
    ...numeric('Errors/min', ({ lastMinute }) => lastMinute.errors, count),
    isAlarming: ({ lastMinute: { errors, upstreamRequests } }) =>
      isAlarming('UpstreamErrorRateHigh', (errors ?? 0) / Math.max(upstreamRequests ?? 0, errors ?? 0, 1)),
  },
];

function hitRatioLine({ name, hitRatios }: Resource) {
  return <Sparkline label={`Hit ratio of ${name}, 30 min`} values={hitRatios} />;
}

/** Renders every resource with its policy, its size, and the last minute. */
export const ResourceGrid = memo(function ResourceGrid({
  hitRatios,
}: {
  hitRatios: Record<string, HitRatios>;
}) {
  const resources = useLive(({ metrics }) =>
    Object.entries(metrics?.resources ?? {}).map(([name, resource]) => ({
      ...resource,
      name,
      hitRatios: hitRatios[name] ?? [],
    })),
  );
  const pages = useLive(({ metrics }) => metrics?.pages);
  // Rows must not move under the pointer or the focus.
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const order = held ?? worstFirst(resources);
  const rows = order.flatMap((name) => resources.find((resource) => resource.name === name) ?? []);
  const hold = () => setHeld((before) => before ?? order);
  const release = () => setHeld(null);
  const holding = { onPointerEnter: hold, onFocus: hold, onPointerLeave: release, onBlur: release };
  const sum = (of: (resource: Resource) => number | null) =>
    rows.reduce((total, resource) => total + (of(resource) ?? 0), 0);
  const totals = [
    {
      Resource: 'cached pages',
      Entries: count(pages?.entries ?? null),
      Size: bytes(pages?.bytes ?? null),
    },
    {
      Resource: 'all resources',
      Entries: count(sum(({ entries }) => entries)),
      Size: bytes(sum((resource) => resource.bytes)),
      'Reads/min': count(sum(({ lastMinute }) => lastMinute.reads)),
      'Upstream requests/min': count(sum(({ lastMinute }) => lastMinute.upstreamRequests)),
      'Errors/min': count(sum(({ lastMinute }) => lastMinute.errors)),
    },
  ];
  return (
    <div {...holding}>
      <GridPanel title="Resources" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} totals={totals} />
    </div>
  );
});

/** Returns the names of the resources: most errors first, then most upstream requests; of equals, in their own order. */
function worstFirst(resources: readonly Resource[]): string[] {
  return resources
    .toSorted(
      ({ lastMinute: one }, { lastMinute: other }) =>
        (other.errors ?? 0) - (one.errors ?? 0) ||
        (other.upstreamRequests ?? 0) - (one.upstreamRequests ?? 0),
    )
    .map(({ name }) => name);
}
