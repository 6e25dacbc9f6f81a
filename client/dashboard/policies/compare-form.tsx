import { useState } from 'react';
import { Link } from 'react-router';
import { age } from '#client/dashboard/elements/format.ts';
import { Choice } from '#client/dashboard/forms/choice.tsx';
import { NumberField } from '#client/dashboard/forms/number-field.tsx';
import { QueryForm } from '#client/dashboard/forms/query-form.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';
import type { Comparison } from '#shared/models/ops/ops-api-types.ts';
import { PolicyComparison } from './policy-comparison.tsx';
import { MAX_SECONDS, policyPath } from './policy-fields.ts';
import { simulatedFrom } from './simulated-metrics.ts';

/** By minutes. */
const WINDOWS = { '15': '15 min', '60': '1 h', '360': '6 h' };

/** The fields, by policy and age. */
const FIELDS = [
  { name: 'ttlA', label: 'TTL of A' },
  { name: 'swrA', label: 'SWR of A' },
  { name: 'ttlB', label: 'TTL of B' },
  { name: 'swrB', label: 'SWR of B' },
] as const;

/** Compares two policies by what each would have done to the same recorded reads. Changes nothing. */
export function CompareForm({ name, policy: { ttl, swr } }: { name: string; policy: CachePolicy }) {
  const ops = useOps();
  const [typed, setTyped] = useState({
    ttlA: String(ttl),
    swrA: String(swr),
    ttlB: String(ttl * 2),
    swrB: String(swr),
  });
  const [minutes, setMinutes] = useState<keyof typeof WINDOWS>('60');
  return (
    <details>
      <summary>Compare two policies on the past</summary>
      <QueryForm
        action="Compare"
        query={() =>
          ops.compare(
            name,
            { ttl: Number(typed.ttlA), swr: Number(typed.swrA) },
            { ttl: Number(typed.ttlB), swr: Number(typed.swrB) },
            Number(minutes),
          )
        }
        summaryOf={(data) =>
          data.requests > 0 ? simulatedFrom(data) : 'There are no recorded reads: nothing is known.'
        }
        render={(data) => data.requests > 0 && <Effects comparison={data} />}
      >
        {FIELDS.map((field) => (
          <NumberField
            key={field.name}
            label={field.label}
            value={typed[field.name]}
            onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
            about={`Seconds: ${age(Number(typed[field.name]))}`}
            max={MAX_SECONDS}
          />
        ))}
        <Choice legend="Recorded reads of the last" options={WINDOWS} value={minutes} onChange={setMinutes} />
      </QueryForm>
    </details>
  );
}

function Effects({ comparison: { resource, a, b } }: { comparison: Comparison }) {
  const sideOf = (label: string, { policy, effect }: Comparison['a']) => ({
    label,
    effect,
    action: <Link to={policyPath(resource, policy)}>Preview {label}</Link>,
  });
  return <PolicyComparison label="Compared" sides={[sideOf('A', a), sideOf('B', b)]} />;
}
