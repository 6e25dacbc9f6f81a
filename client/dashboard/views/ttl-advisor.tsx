import { useState } from 'react';
import { Link } from 'react-router';
import type { Column } from '#client/dashboard/elements/data-grid.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { GridPanel } from '#client/dashboard/elements/grid-panel.tsx';
import { Choice } from '#client/dashboard/forms/choice.tsx';
import { NumberField } from '#client/dashboard/forms/number-field.tsx';
import { QueryForm } from '#client/dashboard/forms/query-form.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import { changesOf, policyPath } from '#client/dashboard/policies/policy-fields.ts';
import { SIMULATED } from '#client/dashboard/policies/simulated-metrics.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';
import type { Advice } from '#shared/models/ops/ops-api-types.ts';

type GoalName = 'upstreamCallsPerMinute' | 'staleSeconds';

const CHOICES: Record<GoalName, string> = {
  upstreamCallsPerMinute: 'Limit upstream requests',
  staleSeconds: 'Limit the age',
};

const FIELDS: Record<GoalName, { label: string; about: string }> = {
  upstreamCallsPerMinute: {
    label: 'Upstream requests/min, at most',
    about: 'The TTLs that stay below this load with the least staleness.',
  },
  staleSeconds: {
    label: 'Age in seconds, at most',
    about: 'The TTLs that serve nothing older, with the fewest upstream requests.',
  },
};

/** Shows the policies that best meet a goal, simulated from recorded reads. Changes nothing: each row links to its preview. */
export function Component() {
  const ops = useOps();
  const [goal, setGoal] = useState<GoalName>('upstreamCallsPerMinute');
  const [value, setValue] = useState('60');
  const most = Number(value);
  return (
    <QueryForm
      action="Show advice"
      about="This changes nothing. Each row links to a preview of its change."
      query={() =>
        ops.advice(goal === 'staleSeconds' ? { staleSeconds: most } : { upstreamCallsPerMinute: most })
      }
      summaryOf={reachText}
      render={(advice) => <Advised advice={advice} />}
    >
      <Choice legend="Goal" options={CHOICES} value={goal} onChange={setGoal} />
      <NumberField {...FIELDS[goal]} value={value} onChange={setValue} min={1} max={1_000_000} />
    </QueryForm>
  );
}

function reachText({ reachable, observedSeconds }: Advice): string {
  const reached = reachable ? 'The goal can be reached.' : 'The goal cannot be reached; this comes nearest.';
  return `${reached} Simulated from the reads of the last ${age(observedSeconds)}: no longer TTL is advised.`;
}

type AdvisedResource = Advice['resources'][number];

const COLUMNS: Column<AdvisedResource>[] = [
  { label: 'Resource', of: ({ resource }) => resource },
  { label: 'TTL now', of: ({ policy }) => age(policy.ttl) },
  {
    label: 'TTL advised',
    of: ({ policy, advised }) => advisedLabel(policy, advised),
    classOf: ({ policy, advised }) => (changesOf(policy, advised).length === 0 ? '' : 'differs'),
  },
  { label: 'Upstream requests/min now', of: ({ current }) => SIMULATED.upstream.of(current) },
  { label: 'Upstream requests/min then', of: ({ expected }) => SIMULATED.upstream.of(expected) },
  { label: 'Mean age now', of: ({ current }) => SIMULATED.meanAge.of(current) },
  { label: 'Mean age then', of: ({ expected }) => SIMULATED.meanAge.of(expected) },
  {
    label: 'Action',
    of: ({ resource, policy, advised }) =>
      changesOf(policy, advised).length === 0 ? (
        'no change'
      ) : (
        <Link to={policyPath(resource, advised)} aria-label={`Preview ${resource}`}>
          Preview
        </Link>
      ),
  },
];

function Advised({ advice: { resources, total } }: { advice: Advice }) {
  return (
    <GridPanel
      title="Advised"
      columns={COLUMNS}
      rows={resources}
      keyOf={({ resource }) => resource}
      totals={[
        {
          key: 'all',
          Resource: 'all',
          'Upstream requests/min now': count(total.current),
          'Upstream requests/min then': count(total.expected),
        },
      ]}
    />
  );
}

/** Returns the advised TTL, and the SWR where that changes too. */
function advisedLabel(policy: CachePolicy, advised: CachePolicy): string {
  return policy.swr === advised.swr ? age(advised.ttl) : `${age(advised.ttl)}, SWR ${age(advised.swr)}`;
}
