import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { Confirm } from '#client/dashboard/elements/confirm.tsx';
import { Field, wholeNumber } from '#client/dashboard/elements/field.tsx';
import { age, count, percent } from '#client/dashboard/elements/format.ts';
import { Failure } from '#client/dashboard/elements/table.tsx';
import type { ChangedPolicy, Policies } from '#shared/models/ops/ops-api-types.ts';
import type { Policy, Resource } from '#shared/models/resources-and-policies.ts';
import type { Measured } from './measured.ts';
import { SimulationResults } from './simulation-results.tsx';

const FIELDS = { ttl: 'TTL', swr: 'SWR', sie: 'SIE' } as const;
const FIELD_NAMES = ['ttl', 'swr', 'sie'] as const;

interface PolicyPanelProps {
  resource: Resource;
  policies: Policies;
  measured: Measured | null;
}

/** A resource: its policy, what was measured beside what is simulated, what other TTLs would do, and the change. */
export function PolicyPanel({ resource, policies, measured }: PolicyPanelProps) {
  const { configured, changed, ...policy } = policies[resource];
  /** What was typed. Another field shows what is in force, also after somebody else has changed it. */
  const [typed, setTyped] = useState<Partial<Record<keyof Policy, string>>>({});
  const panel = useRef<HTMLElement>(null);
  // In a narrow window it is below the whole table, whose link brought it.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const curve = useQuery({
    queryKey: ['simulate', resource, policy],
    queryFn: () => ops.simulate(resource, TTL_STEPS),
    placeholderData: (before) => before,
  });

  /** Returns the fields that are to be others. Only they are sent: another operator may change the rest meanwhile. */
  function wanted(): Partial<Policy> {
    const read = (name: keyof Policy) => {
      const value = wholeNumber(`${FIELDS[name]} in seconds`, typed[name] ?? String(policy[name]));
      return value === policy[name] ? {} : { [name]: value };
    };
    return { ...read('ttl'), ...read('swr'), ...read('sie') };
  }

  function fillIn(values: Partial<Policy>): void {
    const texts = Object.entries(values).map(([name, value]) => [name, String(value)]);
    setTyped((before) => ({ ...before, ...Object.fromEntries(texts) }));
  }

  async function preview() {
    const change = wanted();
    if (Object.keys(change).length === 0) throw new Error('These are the ages in force.');
    const next = { ...policy, ...change };
    const simulated = await ops.simulate(resource, [next.ttl], next.swr);
    const [candidate] = simulated.candidates;
    return (
      <ul>
        {FIELD_NAMES.filter((name) => policy[name] !== next[name]).map((name) => (
          <li key={name}>
            {FIELDS[name]}: {age(policy[name])} to {age(next[name])}, at once, also for what is cached.
          </li>
        ))}
        <li>
          Simulated on {count(simulated.requests)} reads: hit ratio {percent(simulated.current.hitRatio)} to{' '}
          {percent(candidate?.hitRatio ?? null)}, calls/min {count(simulated.current.upstreamCallsPerMinute)}{' '}
          to {count(candidate?.upstreamCallsPerMinute ?? null)}.
        </li>
      </ul>
    );
  }

  return (
    <section className="panel" aria-labelledby="policy-title" ref={panel}>
      <h2 id="policy-title">{resource}</h2>
      <Failure error={curve.error} />
      {curve.data && (
        <SimulationResults curve={curve.data} measured={measured} onChoose={(ttl) => fillIn({ ttl })} />
      )}
      <Advice resource={resource} policy={policy} onAdvise={fillIn} />
      <div className="fields">
        {FIELD_NAMES.map((name) => (
          <Field
            key={name}
            label={`${FIELDS[name]}, seconds`}
            inputMode="numeric"
            value={typed[name] ?? String(policy[name])}
            onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
            about={`in force: ${age(policy[name])}`}
          />
        ))}
      </div>
      <Confirm
        label="Preview the change"
        preview={preview}
        action="Set this policy"
        commit={async () => {
          const changed = await ops.changePolicy(resource, wanted());
          setTyped({});
          return changedText(resource, changed);
        }}
      />
      <Confirm
        label="Reset to the configured policy"
        preview={() => {
          if (!changed) throw new Error('The configured policy is in force.');
          return `TTL ${age(configured.ttl)}, SWR ${age(configured.swr)}, SIE ${age(configured.sie)}, at once.`;
        }}
        action="Reset"
        commit={async () => changedText(resource, await ops.resetPolicy(resource))}
      />
    </section>
  );
}

function changedText(resource: string, { ttl, swr, sie, persisted }: ChangedPolicy): string {
  const kept = persisted ? 'It survives a restart.' : 'It could not be written to disk: a restart undoes it.';
  return `${resource}: TTL ${age(ttl)}, SWR ${age(swr)}, SIE ${age(sie)} from now on. ${kept}`;
}

/** TTLs that are simulated, in seconds. */
const TTL_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400];

interface AdviceProps {
  resource: Resource;
  policy: Policy;
  onAdvise: (policy: Partial<Policy>) => void;
}

/** Fills in the policy with the fewest upstream calls that serves nothing older than some age. */
function Advice({ resource, policy, onAdvise }: AdviceProps) {
  const [oldest, setOldest] = useState(String(policy.ttl + policy.swr));
  const advise = useMutation({
    mutationFn: async () => ops.advice(wholeNumber('The age in seconds', oldest, 1)),
    onSuccess({ resources }) {
      const found = resources.find((one) => one.resource === resource);
      if (found) onAdvise(found.advised);
    },
  });
  const found = advise.data?.resources.find((one) => one.resource === resource);
  return (
    <form
      className="fields"
      onSubmit={(event) => {
        event.preventDefault();
        advise.mutate();
      }}
    >
      <Field label="At most this old, seconds" inputMode="numeric" value={oldest} onChange={setOldest} />
      <button type="submit">Advise</button>
      <p role="status" className={advise.error ? 'bad' : 'about'}>
        {advise.error?.message}
        {found &&
          `TTL ${age(found.advised.ttl)}, SWR ${age(found.advised.swr)} is filled in: ${count(found.current.upstreamCallsPerMinute)} to ${count(found.expected.upstreamCallsPerMinute)} calls/min. Nothing has changed yet.`}
      </p>
    </form>
  );
}
