import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { docsSection } from '#client/dashboard/elements/explanations.ts';
import { age } from '#client/dashboard/elements/format.ts';
import type { LiveResource } from '#shared/models/metrics.ts';
import { FIELD_LABELS, POLICY_FIELDS } from './policy-fields.ts';

const ROWS = POLICY_FIELDS.map((field) => ({ field, label: FIELD_LABELS[field] }));

/** Shows the policy of a resource beside the configured one. */
export function PolicyInForce({ resource: { policy, configured } }: { resource: LiveResource }) {
  const { numbers } = docsSection('Policies');
  const columns: Column<(typeof ROWS)[number]>[] = [
    { label: 'Policy', of: ({ label }) => label },
    {
      label: 'In force',
      of: ({ field }) => age(policy[field]),
      classOf: ({ field }) => (policy[field] === configured[field] ? '' : 'differs'),
    },
    { label: 'Configured', of: ({ field }) => age(configured[field]) },
    { label: 'Meaning', isText: true, of: ({ label }) => numbers.get(label)?.about },
  ];
  return <DataGrid label="Policy in force" columns={columns} rows={ROWS} keyOf={({ field }) => field} />;
}
