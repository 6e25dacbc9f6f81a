import { DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { docsSection } from '#client/dashboard/elements/explanations.ts';
import { age } from '#client/dashboard/elements/format.ts';
import type { LiveResource } from '#shared/models/metrics.ts';
import { FIELD_LABELS, POLICY_FIELDS } from './policy-fields.ts';

/** Shows the policy of a resource beside the configured one. */
export function PolicyInForce({ resource: { policy, configured } }: { resource: LiveResource }) {
  const { numbers } = docsSection('Policies');
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
        { label: 'Meaning', isText: true, of: ({ field }) => numbers.get(FIELD_LABELS[field])?.about },
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
