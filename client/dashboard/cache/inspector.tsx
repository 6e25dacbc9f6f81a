import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { Confirm } from '#client/dashboard/elements/confirm.tsx';
import { Field } from '#client/dashboard/elements/field.tsx';
import { age, bytes, count, plural } from '#client/dashboard/elements/format.ts';
import { type Column, Failure, Table } from '#client/dashboard/elements/table.tsx';
import type { ExplainedDependency, Explanation, Purge } from '#shared/models/ops/ops-api-types.ts';

const MAX_TAGS = 5;

/** Shows a page, API call or key in the cache and what it is built from, and purges it, a tag, or everything. */
export function Inspector() {
  const [search, setSearch] = useSearchParams();
  const inspected = search.get('url');
  /** What was typed since; without it the field shows what is inspected, also after the browser has gone back. */
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? inspected ?? '/';
  const panel = useRef<HTMLElement>(null);
  // A link from elsewhere is about this part of the view.
  useEffect(() => {
    if (inspected !== null) panel.current?.scrollIntoView();
  }, [inspected]);
  const [tags, setTags] = useState('');
  const found = useQuery({
    queryKey: ['explain', inspected],
    queryFn: () => ops.explain(inspected ?? '/'),
    enabled: inspected !== null,
    refetchInterval: 10_000,
  });

  function inspect(event: FormEvent): void {
    event.preventDefault();
    const url = shown.trim();
    setTyped(null);
    if (url === inspected) void found.refetch();
    else setSearch({ url });
  }

  const names = tags.split(/[\s,]+/).filter((name) => name !== '');
  return (
    <section className="panel" aria-labelledby="inspector-title" ref={panel}>
      <h2 id="inspector-title">Inspect and purge</h2>
      <form className="fields" onSubmit={inspect}>
        <Field
          label="URL of a page, or a key"
          about="A path such as /topic/news, or a key such as ads. Inspecting changes nothing."
          value={shown}
          onChange={setTyped}
          required
        />
        <button type="submit">Inspect</button>
      </form>
      <Failure error={found.error} />
      {found.data && (
        <>
          <p>
            <strong>
              <bdi>{found.data.url}</bdi>
            </strong>
            : {stateText(found.data)}
          </p>
          {found.data.page !== 'data' && (
            <PurgeButtons key={found.data.url} name="this page" purge={{ pages: [found.data.url] }} />
          )}
          <Dependencies rows={found.data.dependencies} onPurge={setTags} />
        </>
      )}
      <div className="fields">
        <Field
          label="Tags"
          about="post:4711, category:news, event:a-slug, or a resource: ads, navigation, topic…"
          value={tags}
          onChange={setTags}
        />
        {names.length > 0 && <PurgeButtons key={tags} name={names.join(', ')} purge={{ tags: names }} />}
        <PurgeButtons name="everything" purge={{ all: true }} />
      </div>
    </section>
  );
}

/** Returns what is known of a page, in words. */
function stateText(found: Explanation): string {
  const { state, lastResponse } = found;
  if (found.page === 'data') return 'a key of the content cache.';
  if (!found.cached) {
    if (!lastResponse) return 'not cached: not requested since the start, or evicted or purged since.';
    return `not cached: its last response was a ${lastResponse.status}, ${age(Math.round(lastResponse.secondsAgo))} ago.`;
  }
  const outdated =
    state === 'expired'
      ? 'past SIE or purged, the next request waits for it'
      : 'stale, the next request renews it';
  const fresh = state === 'fresh' ? `fresh for ${age(found.freshSeconds)}` : outdated;
  return `${fresh}, ${bytes(found.bytes)}${found.complete ? '' : ', an optional section is missing'}.`;
}

/** Two ways to purge: softly, and at once. */
function PurgeButtons({ name, purge }: { name: string; purge: Purge }) {
  const button = (soft: boolean) => (
    <Confirm
      label={`${soft ? 'Make stale' : 'Purge'}: ${name}`}
      preview={() => <PurgeEffect purge={{ ...purge, soft }} />}
      action={soft ? 'Make it stale' : 'Purge it'}
      commit={async () => {
        const { purged, cdn } = await ops.purge({ ...purge, soft });
        const atCdn = cdn ? ` At the CDN ${plural(cdn.queued, 'purge is', 'purges are')} queued.` : '';
        return `${plural(purged, 'entry', 'entries')} ${soft ? 'made stale' : 'purged'}.${atCdn}`;
      }}
    />
  );
  return (
    <div className="buttons">
      {button(true)}
      {button(false)}
    </div>
  );
}

/** What a purge would do, by a dry run. */
function PurgeEffect({ purge }: { purge: Purge }) {
  const { data, error } = useQuery({
    queryKey: ['purge preview', purge],
    queryFn: () => ops.previewPurge(purge),
    gcTime: 0,
  });
  if (!data) return <p className="bad">{error?.message}</p>;
  const { entries, pages, firstEntries, firstPages, unknownTags } = data;
  return (
    <ul>
      {unknownTags.length > 0 && <li className="warn">No entry has the tag {unknownTags.join(', ')}.</li>}
      <li>
        {plural(entries, 'entry', 'entries')}
        {firstEntries.length > 0 &&
          `: ${firstEntries.join(', ')}${entries > firstEntries.length ? ' …' : ''}`}
      </li>
      <li>
        {plural(pages, 'page', 'pages')} built from them
        {firstPages.length > 0 && `: ${firstPages.join(', ')}${pages > firstPages.length ? ' …' : ''}`}
      </li>
      <li>
        {purge.soft
          ? 'The next read of each is served stale and starts a refresh; if that fails, the cached value stays.'
          : 'The next read of each waits for the upstream; if it is down, nothing is left to serve.'}
      </li>
    </ul>
  );
}

interface DependenciesProps {
  rows: readonly ExplainedDependency[];
  onPurge: (tag: string) => void;
}

function Dependencies({ rows, onPurge }: DependenciesProps) {
  const columns: Column<ExplainedDependency>[] = [
    { label: 'response', of: ({ key }) => key, classOf: () => 'key' },
    {
      label: 'state',
      of: ({ state }) => state,
      classOf: ({ state }) => (state === 'fresh' ? 'good' : 'warn'),
    },
    { label: 'age', of: ({ ageSeconds }) => wholeAge(ageSeconds) },
    { label: 'refresh due in', of: ({ nextRefreshSeconds }) => wholeAge(nextRefreshSeconds) },
    { label: 'size', of: (row) => bytes(row.bytes) },
    {
      label: 'last failure',
      of: ({ lastError }) =>
        lastError ? `${lastError.message}, ${age(Math.round(lastError.secondsAgo))} ago` : '–',
      classOf: () => 'words',
    },
    {
      label: 'tags',
      of: ({ tags }) => (
        <>
          {[...new Set(tags)].slice(0, MAX_TAGS).map((tag) => (
            <button
              key={tag}
              type="button"
              className="link"
              title={`Fill in ${tag}`}
              onClick={() => onPurge(tag)}
            >
              {tag}
            </button>
          ))}
          {tags.length > MAX_TAGS && ` and ${count(tags.length - MAX_TAGS)} more`}
        </>
      ),
      classOf: () => 'words',
    },
  ];
  return (
    <Table
      label="Table of dependencies"
      caption="Built from"
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      empty="Its data is not known: it was not rendered since the start."
    />
  );
}

const wholeAge = (seconds: number | null) => age(seconds && Math.round(seconds));
