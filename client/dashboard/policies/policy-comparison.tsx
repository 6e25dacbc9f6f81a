import type { ReactNode } from 'react';
import { DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { docsSection } from '#client/dashboard/elements/explanations.ts';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';
import { SIMULATED, SIMULATED_TTLS } from './simulated-metrics.ts';

/** A policy, by what it would have done to the recorded reads. */
interface Side {
  label: string;
  effect: Candidate;
  /** Stands below its column. */
  action?: ReactNode;
}

/** Compares two policies by their effects. */
export function PolicyComparison({ label, sides: [one, other] }: { label: string; sides: [Side, Side] }) {
  const meanings = docsSection(SIMULATED_TTLS)?.numbers;
  return (
    <DataGrid
      label={label}
      columns={[
        { label: 'Effect', of: (metric) => metric.label },
        { label: one.label, of: ({ of }) => of(one.effect) },
        {
          label: other.label,
          of: ({ of }) => of(other.effect),
          classOf: ({ of }) => (of(one.effect) === of(other.effect) ? '' : 'differs'),
        },
        { label: 'Meaning', isText: true, of: (metric) => meanings?.get(metric.label)?.about },
      ]}
      rows={Object.values(SIMULATED)}
      keyOf={(metric) => metric.label}
      totals={
        one.action
          ? [{ key: 'action', Effect: 'Action', [one.label]: one.action, [other.label]: other.action }]
          : []
      }
    />
  );
}
