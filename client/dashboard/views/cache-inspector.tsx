import { useState } from 'react';
import { Link } from 'react-router';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Column, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { age, bytes } from '#client/dashboard/elements/format.ts';
import { type Metric, MetricList, numeric } from '#client/dashboard/elements/metrics.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { ActionForm } from '#client/dashboard/forms/action-form.tsx';
import { Field } from '#client/dashboard/forms/fields.tsx';
import type { ExplainedDependency, Explanation } from '#shared/models/ops/ops-api-types.ts';

const MAX_TAGS = 5;

/** Shows the state of a page in the response cache and of what it is built from. Inspecting counts as no read. */
export function Component() {
  const [url, setUrl] = useState('/');

  async function inspect() {
    const page = await ops.explain(url.trim());
    return { summary: `${page.url}: ${page.why}`, content: <Inspected page={page} /> };
  }

  return (
    <ActionForm submit={inspect} action="Inspect" about="Inspecting changes nothing." isWide>
      <Field
        label="URL of a page"
        about="A path such as /topic/news, or an absolute URL of the site."
        isWide
        autoComplete="off"
        value={url}
        onChange={setUrl}
      />
    </ActionForm>
  );
}

function Inspected({ page }: { page: Explanation }) {
  return (
    <>
      <Panel title={page.url} section="Cache inspector">
        <MetricList metrics={FACTS.filter(({ of }) => of(page) !== null)} source={page} />
      </Panel>
      <Dependencies title="Built from" rows={page.dependencies} />
      {page.failing.length > 0 && <Dependencies title="Failing now, of any page" rows={page.failing} />}
    </>
  );
}

const FACTS: Metric<Explanation>[] = [
  { label: 'Route', of: ({ page }) => page },
  { label: 'Cached', of: ({ cached, bytes: size }) => (cached ? `yes, ${bytes(size)}` : 'no') },
  { label: 'State', of: freshness },
  { label: 'Complete', of: completeness },
  { label: 'Last response', of: lastResponse },
];

function freshness({ state, freshSeconds }: Explanation) {
  if (state === null || freshSeconds === null) return null;
  return `${state} ${freshSeconds < 0 ? 'since' : 'for'} ${age(Math.abs(freshSeconds))}`;
}

function completeness({ complete }: Explanation) {
  if (complete === null) return null;
  return complete ? 'yes' : 'no: an optional section is missing';
}

function lastResponse({ lastResponse: last }: Explanation) {
  if (last === null) return null;
  const target = last.location ? ` to ${last.location}` : '';
  return `${last.status}${target}, ${age(last.secondsAgo)} ago`;
}

/** Lists upstream responses with their state in the cache. */
function Dependencies({ title, rows }: { title: string; rows: ExplainedDependency[] }) {
  return (
    <GridPanel
      title={title}
      section="Cache inspector"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ key }) => key}
      empty="Its dependencies are not known: it was not rendered since the start."
    />
  );
}

const wholeAge = (seconds: number | null) => age(seconds && Math.round(seconds));

const COLUMNS: Column<ExplainedDependency>[] = [
  { label: 'Response', of: ({ key }) => key, classOf: () => 'key' },
  {
    label: 'State',
    of: ({ state }) => state,
    classOf: ({ state }) => (state === 'fresh' ? 'good' : 'warn'),
  },
  numeric('Age', ({ ageSeconds }) => ageSeconds, wholeAge),
  numeric('Refresh due in', ({ nextRefreshSeconds }) => nextRefreshSeconds, wholeAge),
  numeric('Size', (dependency) => dependency.bytes, bytes),
  { label: 'Why', isText: true, of: whyOf, classOf: () => 'why' },
  {
    label: 'Tags',
    isText: true,
    of: ({ tags }) => <Tags tags={[...new Set(tags)]} />,
    classOf: () => 'tags',
  },
];

function whyOf({ why, lastError }: ExplainedDependency) {
  if (!lastError) return why;
  const error = `${lastError.message}, ${wholeAge(lastError.secondsAgo)} ago.`;
  return (
    <>
      {why} <span className="bad">{error}</span>
    </>
  );
}

/** Each links to its purge. */
function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <>
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <Link key={tag} to={`/purge/${encodeURIComponent(tag)}`} aria-label={`Purge ${tag}`}>
          {tag}
        </Link>
      ))}
      {tags.length > MAX_TAGS && ` and ${tags.length - MAX_TAGS} more`}
    </>
  );
}
