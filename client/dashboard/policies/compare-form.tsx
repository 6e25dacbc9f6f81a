import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Choice } from '#client/dashboard/elements/choice.tsx';
import { DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { docsSection } from '#client/dashboard/elements/explanations.ts';
import { age, count } from '#client/dashboard/elements/format.ts';
import { NumberField } from '#client/dashboard/elements/number-field.tsx';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';
import type { Comparison } from '#shared/models/ops/ops-api-types.ts';
import { policyPath } from './policy-fields.ts';
import { SIMULATED, SIMULATED_TTLS } from './simulated-metrics.ts';

const MAX_SECONDS = 31_536_000;

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
export function CompareForm({ name, policy }: { name: string; policy: CachePolicy }) {
  const ops = useOps();
  const [typed, setTyped] = useState({
    ttlA: String(policy.ttl),
    swrA: String(policy.swr),
    ttlB: String(policy.ttl * 2),
    swrB: String(policy.swr),
  });
  const [minutes, setMinutes] = useState<keyof typeof WINDOWS>('60');
  const { mutate, reset, isPending, error, data } = useMutation({
    mutationFn: () =>
      ops.compare(
        name,
        { ttl: Number(typed.ttlA), swr: Number(typed.swrA) },
        { ttl: Number(typed.ttlB), swr: Number(typed.swrB) },
        Number(minutes),
      ),
  });
  return (
    <details>
      <summary>Compare two policies on the past</summary>
      <div className="controls">
        <form
          className="fields"
          onChange={reset}
          onSubmit={(event) => {
            event.preventDefault();
            mutate();
          }}
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
          <Choice
            legend="Recorded reads of the last"
            options={WINDOWS}
            value={minutes}
            onChange={setMinutes}
          />
          <div className="buttons">
            <button type="submit" className="primary">
              Compare
            </button>
          </div>
        </form>
        <div className="outcome">
          <ResultLine busy={isPending} error={error} text={data && basisOf(data)} />
          {data && data.requests > 0 && <Effects comparison={data} />}
        </div>
      </div>
    </details>
  );
}

/** Says how much traffic a comparison rests on. */
function basisOf({ requests, observedSeconds, sampleRate }: Comparison): string {
  if (requests === 0) return 'There are no recorded reads: nothing is known.';
  const sampled = sampleRate < 1 ? ', estimated from a sample of the keys' : '';
  return `Simulated from ${count(requests)} reads of the last ${age(observedSeconds)}${sampled}.`;
}

function Effects({ comparison: { resource, a, b } }: { comparison: Comparison }) {
  const meanings = docsSection(SIMULATED_TTLS)?.numbers;
  return (
    <DataGrid
      label="Compared"
      columns={[
        { label: 'Effect', of: ({ label }) => label },
        { label: 'A', of: ({ of }) => of(a.effect) },
        {
          label: 'B',
          of: ({ of }) => of(b.effect),
          classOf: ({ of }) => (of(a.effect) === of(b.effect) ? '' : 'differs'),
        },
        { label: 'Meaning', isText: true, of: ({ label }) => meanings?.get(label)?.about },
      ]}
      rows={Object.values(SIMULATED)}
      keyOf={({ label }) => label}
      totals={[
        {
          key: 'action',
          Effect: 'Action',
          A: <Link to={policyPath(resource, a.policy)}>Preview A</Link>,
          B: <Link to={policyPath(resource, b.policy)}>Preview B</Link>,
        },
      ]}
    />
  );
}
