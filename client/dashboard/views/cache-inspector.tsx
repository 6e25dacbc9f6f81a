import { useState } from 'react';
import { age, bytes } from '#client/dashboard/elements/format.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { Field } from '#client/dashboard/forms/field.tsx';
import { QueryForm } from '#client/dashboard/forms/query-form.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { Explanation } from '#shared/models/ops/ops-api-types.ts';
import { DependencyGrid } from './dependency-grid.tsx';

/** Shows the state of a page in the response cache and of what it is built from. Inspecting counts as no read. */
export function Component() {
  const ops = useOps();
  const [url, setUrl] = useState('/');
  return (
    <QueryForm
      action="Inspect"
      isWide
      query={() => ops.explain(url.trim())}
      summaryOf={(data) => `${data.url}: ${data.why}`}
      render={(data) => <Inspected page={data} />}
    >
      <Field
        label="URL of a page"
        about="A path such as /topic/news, or an absolute URL of the site. Inspecting changes nothing."
        isWide
        control={(names) => (
          <input
            {...names}
            type="text"
            spellCheck={false}
            autoComplete="off"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      />
    </QueryForm>
  );
}

function Inspected({ page }: { page: Explanation }) {
  return (
    <>
      <Panel title={page.url} section="Cache inspector">
        <dl className="facts">
          {factsOf(page).map(([term, words]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      <DependencyGrid title="Built from" dependencies={page.dependencies} />
      {page.failing.length > 0 && (
        <DependencyGrid title="Failing now, of any page" dependencies={page.failing} />
      )}
    </>
  );
}

function factsOf({ page, cached, bytes: size, state, freshSeconds, complete, lastResponse }: Explanation) {
  const facts: [term: string, words: string][] = [
    ['Route', page],
    ['Cached', cached ? `yes, ${bytes(size)}` : 'no'],
  ];
  if (state !== null && freshSeconds !== null)
    facts.push(['State', `${state} ${freshSeconds < 0 ? 'since' : 'for'} ${age(Math.abs(freshSeconds))}`]);
  if (complete !== null) facts.push(['Complete', complete ? 'yes' : 'no: an optional section is missing']);
  if (lastResponse !== null) {
    const target = lastResponse.location ? ` to ${lastResponse.location}` : '';
    facts.push(['Last response', `${lastResponse.status}${target}, ${age(lastResponse.secondsAgo)} ago`]);
  }
  return facts;
}
