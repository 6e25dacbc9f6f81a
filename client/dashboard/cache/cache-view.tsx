import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { age, count, percent } from '#client/dashboard/elements/format.ts';
import { type Column, Failure, Table } from '#client/dashboard/elements/table.tsx';
import type { SampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { useSamples } from '#client/dashboard/samples/use-samples.ts';
import type { Policies } from '#shared/models/ops/ops-api-types.ts';
import { RESOURCES, type Resource } from '#shared/models/resources-and-policies.ts';
import { Inspector } from './inspector.tsx';
import { measuredOf } from './measured.ts';
import { ModeForm } from './mode-form-and-banner.tsx';
import { PolicyPanel } from './policy-panel.tsx';

const MEASURED_MINUTES = 60;

/** Policies and what they do, a page or key with its purge, and the modes of the whole cache. */
export function CacheView() {
  const { resource } = useParams();
  const chosen = RESOURCES.find((name) => name === resource);
  const { window, error } = useSamples(MEASURED_MINUTES);
  const policies = useQuery({ queryKey: ['policies'], queryFn: ops.policies });
  return (
    <>
      <Failure error={error ?? policies.error} />
      <div className="cache-columns">
        <section aria-labelledby="resources-title">
          <h2 id="resources-title">Policies and data reads of the last hour</h2>
          <ResourceTable window={window} policies={policies.data} chosen={chosen} />
        </section>
        {chosen && policies.data && (
          <PolicyPanel
            key={chosen}
            resource={chosen}
            policies={policies.data}
            measured={window && measuredOf(window, chosen)}
          />
        )}
        {!chosen && (
          <p className="about">
            Choose a resource to see what other TTLs would do, and to change its policy.
          </p>
        )}
      </div>
      <Inspector />
      <ModeForm />
    </>
  );
}

interface ResourceTableProps {
  window: SampleWindow | null;
  policies: Policies | undefined;
  chosen: Resource | undefined;
}

function ResourceTable({ window, policies, chosen }: ResourceTableProps) {
  const measured = (resource: Resource) => window && measuredOf(window, resource);
  const columns: Column<Resource>[] = [
    {
      label: 'resource',
      of: (resource) => (
        <Link to={`/cache/${resource}`} aria-current={resource === chosen}>
          {resource}
        </Link>
      ),
    },
    {
      label: 'TTL',
      title: 'In force; with a star where it was changed while running',
      of: (resource) => age(policies?.[resource]?.ttl ?? null) + (policies?.[resource]?.changed ? ' *' : ''),
      classOf: (resource) => (policies?.[resource]?.changed ? 'warn' : ''),
    },
    { label: 'SWR', of: (resource) => age(policies?.[resource]?.swr ?? null) },
    { label: 'SIE', of: (resource) => age(policies?.[resource]?.sie ?? null) },
    {
      label: 'data reads/min',
      title: 'cache_requests_total',
      of: (resource) => count(measured(resource)?.readsPerMinute ?? null),
    },
    {
      label: 'hit ratio',
      title: 'cache_requests_total: data reads that did not wait',
      of: (resource) => percent(measured(resource)?.hitRatio ?? null),
    },
  ];
  return (
    <Table
      label="Table of resources"
      columns={columns}
      rows={RESOURCES}
      keyOf={(resource) => resource}
      isChosen={(resource) => resource === chosen}
    />
  );
}
