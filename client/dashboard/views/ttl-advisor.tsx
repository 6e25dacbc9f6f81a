import { type FormEvent, useState } from 'react';
import type { Advice, Candidate, Goal } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { NumberField } from '#client/dashboard/elements/number-field.tsx';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/layout.tsx';
import { AGES, changesOf } from '#client/dashboard/policies/policy-fields.ts';
import type { Ages } from '#shared/models/metrics.ts';

type GoalName = 'upstreamCallsPerMinute' | 'staleSeconds';

const GOALS: Record<GoalName, { choice: string; label: string; about: string }> = {
  upstreamCallsPerMinute: {
    choice: 'Spare the upstream',
    label: 'Calls a minute, at most',
    about: 'Which ttls keep the upstream’s load below this, with the least staleness?',
  },
  staleSeconds: {
    choice: 'Keep it new',
    label: 'Seconds old, at most',
    about: 'Which ttls keep answers younger than this, with the fewest calls?',
  },
};

/** Which ages reach a goal, reckoned from what readers did. It changes nothing: each row leads to its preview. */
export function TtlAdvisorView({ api }: ViewProps) {
  const [goal, setGoal] = useState<GoalName>('upstreamCallsPerMinute');
  const [value, setValue] = useState('60');
  const [advice, setAdvice] = useState<Advice | null>(null);
  const action = useAction();

  function ask(event: FormEvent): void {
    event.preventDefault();
    setAdvice(null);
    void action.run(async () => {
      const wanted: Goal =
        goal === 'staleSeconds' ? { staleSeconds: Number(value) } : { upstreamCallsPerMinute: Number(value) };
      const given = await api.advice(wanted);
      setAdvice(given);
      return given.reachable
        ? 'The goal can be reached.'
        : 'The goal cannot be reached; this comes nearest to it.';
    });
  }

  return (
    <div className="controls">
      <form className="fields" onSubmit={ask}>
        <fieldset>
          <legend>What matters</legend>
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
            Ask for advice
          </button>
        </div>
        <p className="about">
          Asking changes nothing. KeyedList row of the response leads to a preview of that change.
        </p>
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
              <th scope="col">resource</th>
              <th scope="col">
                <Explained name="advisedTtl">ttl now</Explained>
              </th>
              <th scope="col">
                <Explained name="advisedTtl">ttl advised</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedCalls">calls / min now</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedCalls">then</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedAge">mean age now</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedAge">then</Explained>
              </th>
              <th scope="col">step</th>
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
                  {advisedWords(policy, advised)}
                </td>
                <td data-explains="simulatedCalls">{count(current.upstreamCallsPerMinute)}</td>
                <td data-explains="simulatedCalls">{count(expected.upstreamCallsPerMinute)}</td>
                <td data-explains="simulatedAge">{meanAge(current)}</td>
                <td data-explains="simulatedAge">{meanAge(expected)}</td>
                <td>
                  {changesOf(policy, advised).length === 0 ? (
                    'stays'
                  ) : (
                    <a
                      href={`#/ages/${resource}/${AGES.map((name) => advised[name]).join('/')}`}
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
              <td data-explains="simulatedCalls">{count(total.current)}</td>
              <td data-explains="simulatedCalls">{count(total.expected)}</td>
              <td colSpan={3} />
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

/** The advised ttl, and the swr where that is another one too. */
function advisedWords(policy: Ages, advised: Ages): string {
  return policy.swr === advised.swr ? age(advised.ttl) : `${age(advised.ttl)}, swr ${age(advised.swr)}`;
}

function meanAge({ meanStalenessSeconds: seconds }: Candidate): string {
  return age(seconds === null ? null : Math.round(seconds * 10) / 10);
}
