import { Link } from 'react-router';
import type { Column } from '#client/dashboard/elements/data-grid.tsx';
import { age, bytes } from '#client/dashboard/elements/format.ts';
import { GridPanel } from '#client/dashboard/elements/grid-panel.tsx';
import type { ExplainedDependency } from '#shared/models/ops/ops-api-types.ts';

const MAX_TAGS = 5;

const COLUMNS: Column<ExplainedDependency>[] = [
  { label: 'Response', of: ({ key }) => key, classOf: () => 'key' },
  {
    label: 'State',
    of: ({ state }) => state,
    classOf: ({ state }) => (state === 'fresh' ? 'good' : 'warn'),
  },
  { label: 'Age', of: ({ ageSeconds }) => age(rounded(ageSeconds)) },
  { label: 'Refresh due in', of: ({ nextRefreshSeconds }) => age(rounded(nextRefreshSeconds)) },
  { label: 'Size', of: (dependency) => bytes(dependency.bytes) },
  { label: 'Why', isText: true, of: whyOf, classOf: () => 'why' },
  { label: 'Tags', isText: true, of: ({ tags }) => tagsOf([...new Set(tags)]), classOf: () => 'tags' },
];

/** Renders upstream responses with their state in the cache. A tag links to its purge. */
export function DependencyGrid({
  title,
  dependencies,
}: {
  title: string;
  dependencies: ExplainedDependency[];
}) {
  return (
    <GridPanel
      title={title}
      section="Cache inspector"
      columns={COLUMNS}
      rows={dependencies}
      keyOf={({ key }) => key}
      empty="Its dependencies are not known: it was not rendered since the start."
    />
  );
}

function whyOf({ why, lastError }: ExplainedDependency) {
  if (!lastError) return why;
  return (
    <>
      {why}{' '}
      <span className="bad">
        {lastError.message}, {age(Math.round(lastError.secondsAgo))} ago.
      </span>
    </>
  );
}

function tagsOf(tags: readonly string[]) {
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

function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds);
}
