import { createContext, memo, use, useState } from 'react';
import { Link } from 'react-router';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { age, bytes, count, percent } from '#client/dashboard/elements/format.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { Sparkline } from '#client/dashboard/elements/sparkline.tsx';
import { FIELD_LABELS } from '#client/dashboard/policies/policy-fields.ts';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { CachePolicy, LiveMetrics } from '#shared/models/metrics.ts';
import type { NamedResource } from './metrics-stream.ts';
import { useLiveResources } from './use-live.ts';

/** By the name of a resource, by the minute, oldest first. */
type HitRatios = Readonly<Record<string, readonly (number | null)[]>>;

/** Not in the rows: a row whose metrics are the same is not rendered again. */
const HitRatiosContext = createContext<HitRatios>({});

function HitRatioLine({ name }: { name: string }) {
  return <Sparkline label={`Hit ratio of ${name}, 30 min`} values={use(HitRatiosContext)[name] ?? []} />;
}

/** A value of the policy in force; the configured one behind an arrow where it differs. */
function policyColumn(name: keyof CachePolicy): Column<NamedResource> {
  return {
    label: FIELD_LABELS[name],
    of: ({ policy, configured }) =>
      policy[name] === configured[name]
        ? age(policy[name])
        : `${age(policy[name])} ← ${age(configured[name])}`,
  };
}

const COLUMNS: Column<NamedResource>[] = [
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
  { label: 'Entries', of: ({ entries }) => count(entries) },
  { label: 'Size', of: (resource) => bytes(resource.bytes) },
  { label: 'Hit ratio', of: ({ lastMinute }) => percent(lastMinute.hitRatio) },
  {
    label: '30 min',
    of: ({ name }) => <HitRatioLine name={name} />,
  },
  {
    label: 'Stale ratio',
    of: ({ lastMinute }) => percent(lastMinute.staleRatio),
    isAlarming: ({ lastMinute }) => isAlarming('staleRatio', lastMinute.staleRatio),
  },
  { label: 'Age served', of: ({ lastMinute }) => age(lastMinute.meanAgeSeconds) },
  { label: 'Reads/min', of: ({ lastMinute }) => count(lastMinute.reads) },
  { label: 'Upstream requests/min', of: ({ lastMinute }) => count(lastMinute.upstreamRequests) },
  {
    label: 'Errors/min',
    of: ({ lastMinute }) => count(lastMinute.errors),
    isAlarming: ({ lastMinute: { errors, upstreamRequests } }) =>
      isAlarming('upstreamErrorRatio', (errors ?? 0) / Math.max(upstreamRequests ?? 0, errors ?? 0, 1)),
  },
];

/** Renders every resource with its policy, its size, and the last minute. */
export const ResourceGrid = memo(function ResourceGrid({
  pages,
  hitRatios,
}: {
  pages: LiveMetrics['pages'];
  hitRatios: HitRatios;
}) {
  const resources = useLiveResources();
  // Rows must not move under the pointer or the focus.
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const order = held ?? worstFirst(resources);
  const rows = order.flatMap((name) => resources.find((resource) => resource.name === name) ?? []);
  const hold = () => setHeld((before) => before ?? order);
  const release = () => setHeld(null);
  const sum = (of: (resource: NamedResource) => number | null) =>
    count(rows.reduce((total, resource) => total + (of(resource) ?? 0), 0));
  return (
    <Panel title="Resources">
      <HitRatiosContext value={hitRatios}>
        <DataGrid
          label="Resources"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ name }) => name}
          onPointerEnter={hold}
          onPointerLeave={release}
          onFocus={hold}
          onBlur={release}
          totals={[
            {
              key: 'cached pages',
              Resource: 'cached pages',
              Entries: count(pages.entries),
              Size: bytes(pages.bytes),
            },
            {
              key: 'all resources',
              Resource: 'all resources',
              Entries: sum(({ entries }) => entries),
              Size: bytes(rows.reduce((total, resource) => total + resource.bytes, 0)),
              'Reads/min': sum(({ lastMinute }) => lastMinute.reads),
              'Upstream requests/min': sum(({ lastMinute }) => lastMinute.upstreamRequests),
              'Errors/min': sum(({ lastMinute }) => lastMinute.errors),
            },
          ]}
        />
      </HitRatiosContext>
    </Panel>
  );
});

/** Returns the names of the resources: most errors first, then most upstream requests; of equals, in their own order. */
function worstFirst(resources: readonly NamedResource[]): string[] {
  return resources
    .toSorted(
      ({ lastMinute: one }, { lastMinute: other }) =>
        (other.errors ?? 0) - (one.errors ?? 0) ||
        (other.upstreamRequests ?? 0) - (one.upstreamRequests ?? 0),
    )
    .map(({ name }) => name);
}
