import { type FormEvent, useState } from 'react';
import type { Explanation } from '#client/dashboard/api/ops-responses.ts';
import { age, bytes } from '#client/dashboard/elements/format.ts';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/layout.tsx';
import { ExplainedEntries } from './explained-entries.tsx';

/** Why a page shows what it shows. Asking counts as no reader. */
export function CacheInspectorView({ api }: ViewProps) {
  const [address, setAddress] = useState('/');
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const action = useAction();

  function ask(event: FormEvent): void {
    event.preventDefault();
    setExplanation(null);
    void action.run(async () => {
      const given = await api.explain(address.trim());
      setExplanation(given);
      return `${given.url}: ${given.why}`;
    });
  }

  return (
    <>
      <form className="fields line" onSubmit={ask}>
        <div className="field wide">
          <label htmlFor="address">Address of a page</label>
          <input
            id="address"
            type="text"
            required
            spellCheck={false}
            autoComplete="off"
            value={address}
            aria-describedby="address-about"
            onChange={({ target }) => setAddress(target.value)}
          />
          <span id="address-about" className="about">
            A path such as /topic/news, or a whole address of the site. Asking changes nothing.
          </span>
        </div>
        <div className="buttons">
          <button type="submit" className="primary">
            Explain
          </button>
        </div>
      </form>
      <ResultLine {...action} />
      {explanation && (
        <>
          <PageFacts explanation={explanation} />
          <ExplainedEntries title="Made of" parts={explanation.parts} />
          {explanation.failing.length > 0 && (
            <ExplainedEntries title="Failing now, on any page" parts={explanation.failing} />
          )}
        </>
      )}
    </>
  );
}

function PageFacts({ explanation }: { explanation: Explanation }) {
  const { page, cached, state, freshSeconds, complete, lastResponse } = explanation;
  const fresh = freshSeconds === null ? null : Math.abs(freshSeconds);
  const facts: [string, string][] = [
    ['Route', page],
    ['Kept', cached ? `yes, ${bytes(explanation.bytes)}` : 'no'],
    ...(state === null
      ? []
      : [
          ['State', `${state} ${(freshSeconds ?? 0) < 0 ? 'since' : 'for'} ${age(fresh)}`] as [
            string,
            string,
          ],
        ]),
    ...(complete === null
      ? []
      : [['Complete', complete ? 'yes' : 'no: a block is missing'] as [string, string]]),
    ...(lastResponse === null
      ? []
      : [
          [
            'Last answer',
            `${lastResponse.status}${lastResponse.location ? ` to ${lastResponse.location}` : ''}, ${age(lastResponse.secondsAgo)} ago`,
          ] as [string, string],
        ]),
  ];
  return (
    <section aria-labelledby="page-title">
      <h2 id="page-title">{explanation.url}</h2>
      <dl className="facts">
        {facts.map(([term, words]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
