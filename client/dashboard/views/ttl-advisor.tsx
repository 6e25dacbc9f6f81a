import { useState } from 'react';
import { Link } from 'react-router';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Column, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { ActionForm } from '#client/dashboard/forms/action-form.tsx';
import { Choice, NumberField } from '#client/dashboard/forms/fields.tsx';
import { changesOf, policyPath } from '#client/dashboard/policies/policy-fields.ts';
import { SIMULATED } from '#client/dashboard/policies/simulated-metrics.ts';
import type { Advice } from '#shared/models/ops/ops-api-types.ts';

const GOALS = { upstreamCallsPerMinute: 'Limit upstream requests', staleSeconds: 'Limit the age' };

const FIELDS = {
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
  const [goal, setGoal] = useState<keyof typeof GOALS>('upstreamCallsPerMinute');
  const [value, setValue] = useState('60');

  async function advise() {
    const most = Number(value);
    const advice = await ops.advice(
      goal === 'staleSeconds' ? { staleSeconds: most } : { upstreamCallsPerMinute: most },
    );
    const totals = {
      Resource: 'all',
      'Upstream requests/min now': count(advice.total.current),
      'Upstream requests/min then': count(advice.total.expected),
    };
    const content = (
      <GridPanel
        title="Advised"
        columns={COLUMNS}
        rows={advice.resources}
        keyOf={({ resource }) => resource}
        totals={[totals]}
      />
    );
    return { summary: reachText(advice), content };
  }

  return (
    <ActionForm
      submit={advise}
      action="Show advice"
      about="This changes nothing. Each row links to a preview of its change."
    >
      <Choice legend="Goal" options={GOALS} value={goal} onChange={setGoal} />
      <NumberField {...FIELDS[goal]} value={value} onChange={setValue} min={1} max={1_000_000} />
    </ActionForm>
  );
}

function reachText({ reachable, observedSeconds }: Advice): string {
  const reached = reachable ? 'The goal can be reached.' : 'The goal cannot be reached; this comes nearest.';
  return `${reached} Simulated from the reads of the last ${age(observedSeconds)}: no longer TTL is advised.`;
}

type AdvisedResource = Advice['resources'][number];

const isUnchanged = ({ policy, advised }: AdvisedResource) => changesOf(policy, advised).length === 0;

const COLUMNS: Column<AdvisedResource>[] = [
  { label: 'Resource', of: ({ resource }) => resource },
  { label: 'TTL now', of: ({ policy }) => age(policy.ttl) },
  { label: 'TTL advised', of: advisedTtl, classOf: (row) => (isUnchanged(row) ? '' : 'differs') },
  { label: 'Upstream requests/min now', of: ({ current }) => SIMULATED.upstream.of(current) },
  { label: 'Upstream requests/min then', of: ({ expected }) => SIMULATED.upstream.of(expected) },
  { label: 'Mean age now', of: ({ current }) => SIMULATED.meanAge.of(current) },
  { label: 'Mean age then', of: ({ expected }) => SIMULATED.meanAge.of(expected) },
  { label: 'Action', of: (row) => (isUnchanged(row) ? 'no change' : <PreviewLink {...row} />) },
];

/** Returns the advised TTL, and the SWR where that changes too. */
function advisedTtl({ policy, advised: { ttl, swr } }: AdvisedResource): string {
  return policy.swr === swr ? age(ttl) : `${age(ttl)}, SWR ${age(swr)}`;
}

function PreviewLink({ resource, advised }: AdvisedResource) {
  return (
    <Link to={policyPath(resource, advised)} aria-label={`Preview ${resource}`}>
      Preview
    </Link>
  );
}
