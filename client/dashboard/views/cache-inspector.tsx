import { type FormEvent, useState } from 'react';
import type { Explanation } from '#client/dashboard/api/ops-responses.ts';
import { age, bytes } from '#client/dashboard/elements/format.ts';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/use-view.ts';
import { DependencyTable } from './dependency-table.tsx';

/** Shows the state of a page in the response cache and of what it is built from. Inspecting counts as no read. */
export function CacheInspectorView({ api }: ViewProps) {
  const [url, setUrl] = useState('/');
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const action = useAction();

  function inspect(event: FormEvent): void {
    event.preventDefault();
    setExplanation(null);
    void action.run(async () => {
      const found = await api.explain(url.trim());
      setExplanation(found);
      return `${found.url}: ${found.why}`;
    });
  }

  return (
    <>
      <form className="fields line" onSubmit={inspect}>
        <div className="field wide">
          <label htmlFor="url">URL of a page</label>
          <input
            id="url"
            type="text"
            required
            spellCheck={false}
            autoComplete="off"
            value={url}
            aria-describedby="url-about"
            onChange={({ target }) => setUrl(target.value)}
          />
          <span id="url-about" className="about">
            A path such as /topic/news, or an absolute URL of the site. Inspecting changes nothing.
          </span>
        </div>
        <div className="buttons">
          <button type="submit" className="primary">
            Inspect
          </button>
        </div>
      </form>
      <ResultLine {...action} />
      {explanation && (
        <>
          <PageFacts explanation={explanation} />
          <DependencyTable title="Built from" dependencies={explanation.dependencies} />
          {explanation.failing.length > 0 && (
            <DependencyTable title="Failing now, of any page" dependencies={explanation.failing} />
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
    ['Cached', cached ? `yes, ${bytes(explanation.bytes)}` : 'no'],
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
      : [['Complete', complete ? 'yes' : 'no: an optional section is missing'] as [string, string]]),
    ...(lastResponse === null
      ? []
      : [
          [
            'Last response',
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
