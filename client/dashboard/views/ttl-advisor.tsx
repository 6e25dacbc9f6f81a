import { type FormEvent, useState } from 'react';
import type { Advice, Candidate, Goal } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { NumberField } from '#client/dashboard/elements/number-field.tsx';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import { changesOf, POLICY_FIELDS } from '#client/dashboard/policies/policy-fields.ts';
import type { ViewProps } from '#client/dashboard/use-view.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';

type GoalName = 'upstreamCallsPerMinute' | 'staleSeconds';

const GOALS: Record<GoalName, { choice: string; label: string; about: string }> = {
  upstreamCallsPerMinute: {
    choice: 'Limit upstream requests',
    label: 'Upstream requests/min, at most',
    about: 'The TTLs that stay below this load with the least staleness.',
  },
  staleSeconds: {
    choice: 'Limit the age',
    label: 'Age in seconds, at most',
    about: 'The TTLs that serve nothing older, with the fewest upstream requests.',
  },
};

/** Shows the policies that best meet a goal, simulated from recorded reads. Changes nothing: each row links to its preview. */
export function TtlAdvisorView({ api }: ViewProps) {
  const [goal, setGoal] = useState<GoalName>('upstreamCallsPerMinute');
  const [value, setValue] = useState('60');
  const [advice, setAdvice] = useState<Advice | null>(null);
  const action = useAction();

  function advise(event: FormEvent): void {
    event.preventDefault();
    setAdvice(null);
    void action.run(async () => {
      const wanted: Goal =
        goal === 'staleSeconds' ? { staleSeconds: Number(value) } : { upstreamCallsPerMinute: Number(value) };
      const found = await api.advice(wanted);
      setAdvice(found);
      return found.reachable ? 'The goal can be reached.' : 'The goal cannot be reached; this comes nearest.';
    });
  }

  return (
    <div className="controls">
      <form className="fields" onSubmit={advise}>
        <fieldset>
          <legend>Goal</legend>
          {(['upstreamCallsPerMinute', 'staleSeconds'] as const).map((name) => (
            <label key={name} className="choice">
              <input
                type="radio"
                name="goal"
                checked={goal === name}
                onChange={() => {
                  setGoal(name);
                  setAdvice(null);
                  action.clear();
                }}
              />
              {GOALS[name].choice}
            </label>
          ))}
        </fieldset>
        <NumberField
          label={GOALS[goal].label}
          value={value}
          onChange={setValue}
          about={GOALS[goal].about}
          min={1}
          max={1_000_000}
        />
        <div className="buttons">
          <button type="submit" className="primary">
            Show advice
          </button>
        </div>
        <p className="about">This changes nothing. Each row links to a preview of its change.</p>
      </form>
      <div className="outcome">
        <ResultLine {...action} />
        {advice && <AdviceTable advice={advice} />}
      </div>
    </div>
  );
}

function AdviceTable({ advice: { resources, total } }: { advice: Advice }) {
  return (
    <section aria-labelledby="advice-title">
      <h2 id="advice-title">Advised</h2>
      <div className="scroll">
        <table className="numbers" aria-labelledby="advice-title">
          <thead>
            <tr>
              <th scope="col">Resource</th>
              <th scope="col">
                <Explained name="advisedTtl">TTL now</Explained>
              </th>
              <th scope="col">
                <Explained name="advisedTtl">TTL advised</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedUpstream">Upstream requests/min now</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedUpstream">Then</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedAge">Mean age now</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedAge">Then</Explained>
              </th>
              <th scope="col">Action</th>
            </tr>
          </thead>
          <tbody>
            {resources.map(({ resource, policy, advised, current, expected }) => (
              <tr key={resource}>
                <th scope="row">{resource}</th>
                <td data-explains="advisedTtl">{age(policy.ttl)}</td>
                <td
                  data-explains="advisedTtl"
                  className={changesOf(policy, advised).length === 0 ? '' : 'differs'}
                >
                  {advisedLabel(policy, advised)}
                </td>
                <td data-explains="simulatedUpstream">{count(current.upstreamCallsPerMinute)}</td>
                <td data-explains="simulatedUpstream">{count(expected.upstreamCallsPerMinute)}</td>
                <td data-explains="simulatedAge">{meanAge(current)}</td>
                <td data-explains="simulatedAge">{meanAge(expected)}</td>
                <td>
                  {changesOf(policy, advised).length === 0 ? (
                    'no change'
                  ) : (
                    <a
                      href={`#/policies/${resource}/${POLICY_FIELDS.map((name) => advised[name]).join('/')}`}
                      aria-label={`Preview ${resource}`}
                    >
                      Preview
                    </a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">all</th>
              <td colSpan={2} />
              <td data-explains="simulatedUpstream">{count(total.current)}</td>
              <td data-explains="simulatedUpstream">{count(total.expected)}</td>
              <td colSpan={3} />
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

/** Returns the advised TTL, and the SWR where that changes too. */
function advisedLabel(policy: CachePolicy, advised: CachePolicy): string {
  return policy.swr === advised.swr ? age(advised.ttl) : `${age(advised.ttl)}, SWR ${age(advised.swr)}`;
}

function meanAge({ meanStalenessSeconds: seconds }: Candidate): string {
  return age(seconds === null ? null : Math.round(seconds * 10) / 10);
}
