import { DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { docsSection } from '#client/dashboard/elements/explanations.ts';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';
import { SIMULATED, SIMULATED_TTLS } from './simulated-metrics.ts';

/** Compares two TTLs by what each would have done to the recorded reads. */
export function PolicyComparison({ now, then }: { now: Candidate; then: Candidate }) {
  const meanings = docsSection(SIMULATED_TTLS)?.numbers;
  return (
    <DataGrid
      label="For the recorded reads"
      columns={[
        { label: 'Effect', of: ({ label }) => label },
        { label: 'Now', of: ({ of }) => of(now) },
        {
          label: 'Then',
          of: ({ of }) => of(then),
          classOf: ({ of }) => (of(now) === of(then) ? '' : 'differs'),
        },
        { label: 'Meaning', isText: true, of: ({ label }) => meanings?.get(label)?.about },
      ]}
      rows={Object.values(SIMULATED)}
      keyOf={({ label }) => label}
    />
  );
}
