import { useParams } from 'react-router';
import { DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { docsSection } from '#client/dashboard/elements/explanations.ts';
import { age } from '#client/dashboard/elements/format.ts';
import { LinkList } from '#client/dashboard/elements/link-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { FIELD_LABELS, POLICY_FIELDS } from '#client/dashboard/policies/policy-fields.ts';
import { PolicyForm } from '#client/dashboard/policies/policy-form.tsx';
import type { LiveResource } from '#shared/models/metrics.ts';

/**
 * Shows and changes the policy of one resource, and what other TTLs would do. `#/policies/topic/120/600/86400` proposes
 * TTL, SWR and SIE.
 */
export function Component() {
  const { resource: named = '', ...proposed } = useParams();
  const resources = useLive().metrics?.resources;
  if (!resources) return <p className="about">Waiting for the first metrics…</p>;
  const name = Object.hasOwn(resources, named) ? named : 'article';
  const resource = resources[name];
  return (
    <div className="columns">
      <LinkList
        label="Resources"
        className="choices"
        current={`/policies/${name}`}
        links={Object.entries(resources).map(([other, { policy, changed }]) => ({
          to: `/policies/${other}`,
          text: (
            <>
              {other}
              <span>
                {changed && <b className="badge">changed</b>} {age(policy.ttl)}
              </span>
            </>
          ),
        }))}
      />
      {resource && (
        <Panel title={name} section="Policies">
          <PolicyForm key={name} name={name} resource={resource} proposed={proposed}>
            <PolicyInForce resource={resource} />
          </PolicyForm>
        </Panel>
      )}
    </div>
  );
}

function PolicyInForce({ resource: { policy, configured } }: { resource: LiveResource }) {
  const meanings = docsSection('Policies')?.numbers;
  return (
    <DataGrid
      label="Policy in force"
      columns={[
        { label: 'Policy', of: ({ field }) => FIELD_LABELS[field] },
        {
          label: 'In force',
          of: ({ inForce }) => age(inForce),
          classOf: (row) => (row.inForce === row.configured ? '' : 'differs'),
        },
        { label: 'Configured', of: (row) => age(row.configured) },
        { label: 'Meaning', isText: true, of: ({ field }) => meanings?.get(FIELD_LABELS[field])?.about },
      ]}
      rows={POLICY_FIELDS.map((field) => ({
        field,
        inForce: policy[field],
        configured: configured[field],
      }))}
      keyOf={({ field }) => field}
    />
  );
}
