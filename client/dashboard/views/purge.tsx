import { type FormEvent, useRef, useState } from 'react';
import type { Purge } from '#client/dashboard/api/ops-responses.ts';
import { Confirmation } from '#client/dashboard/elements/confirmation.tsx';
import { count } from '#client/dashboard/elements/format.ts';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/use-view.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';

type Target = 'tags' | 'pages' | 'all';

const TARGETS: Record<Target, string> = {
  tags: 'Entries with a tag',
  pages: 'Pages and their primary resources',
  all: 'Everything',
};

/** Purges the cache in two steps: preview, then confirm. `#/purge/post:4711` fills in a tag. */
export function PurgeView({ api, live: { metrics }, params: [tag = ''] }: ViewProps) {
  const [target, setTarget] = useState<Target>('tags');
  const [named, setNamed] = useState(tag);
  const [soft, setSoft] = useState(true);
  const [proposed, setProposed] = useState<Purge | null>(null);
  const action = useAction();
  const review = useRef<HTMLButtonElement>(null);
  const names = named.split(/[\s,]+/).filter((name) => name !== '');

  function change(step: () => void): void {
    step();
    setProposed(null);
    action.clear();
  }

  function propose(event: FormEvent): void {
    event.preventDefault();
    action.clear();
    setProposed({ ...(target === 'all' ? { all: true } : { [target]: names }), soft });
  }

  function close(): void {
    setProposed(null);
    review.current?.focus();
  }

  function purge(wanted: Purge): void {
    void action.run(async () => {
      const { purged, pages } = await api.purge(wanted);
      close();
      const done = wanted.soft ? 'made stale' : 'purged';
      const named = wanted.pages ? `; ${plural(pages, 'named page was', 'named pages were')} cached` : '';
      return `${plural(purged, 'entry', 'entries')} ${done}${named}.`;
    });
  }

  return (
    <div className="controls">
      <form className="fields" onSubmit={propose}>
        <fieldset>
          <legend>What to purge</legend>
          {(['tags', 'pages', 'all'] as const).map((name) => (
            <label key={name} className="choice">
              <input
                type="radio"
                name="target"
                checked={target === name}
                onChange={() => change(() => setTarget(name))}
              />
              {TARGETS[name]}
            </label>
          ))}
        </fieldset>
        {target !== 'all' && (
          <div className="field wide">
            <label htmlFor="names">{target === 'tags' ? 'Tags' : 'Paths'}</label>
            <textarea
              id="names"
              rows={2}
              required
              spellCheck={false}
              value={named}
              aria-describedby="names-about"
              onChange={(event) => change(() => setNamed(event.target.value))}
            />
            <span id="names-about" className="about">
              {target === 'tags'
                ? 'post:4711, category:news, event:a-slug, or a resource: ads, navigation, topic… The cache inspector shows the tags of a page.'
                : 'Such as /news/a-story. Menus, advertisements and sidebars are shared by all pages and stay.'}
            </span>
          </div>
        )}
        <fieldset>
          <legend>How</legend>
          <label className="choice">
            <input type="radio" name="how" checked={soft} onChange={() => change(() => setSoft(true))} />
            Soft: the cached value is served once more while it is refreshed
          </label>
          <label className="choice">
            <input type="radio" name="how" checked={!soft} onChange={() => change(() => setSoft(false))} />
            Hard: the next request waits for new data; if the upstream is down, nothing is left to serve
          </label>
        </fieldset>
        <div className="buttons">
          <button
            type="submit"
            ref={review}
            className="primary"
            disabled={target !== 'all' && names.length === 0}
          >
            Preview the effect
          </button>
        </div>
      </form>
      <div className="outcome">
        <ResultLine {...action} />
        {proposed && (
          <Confirmation
            title={proposed.soft ? 'Make this stale?' : 'Purge this?'}
            action={proposed.soft ? 'Purge softly' : 'Purge'}
            onConfirm={() => purge(proposed)}
            onCancel={close}
          >
            <ul className="plain">
              {sentencesOf(proposed, metrics).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </Confirmation>
        )}
      </div>
    </div>
  );
}

function plural(n: number, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** Returns what a purge would affect, as far as it is known beforehand, and its consequence. */
function sentencesOf(
  { tags = [], pages = [], all = false, soft = false }: Purge,
  metrics: LiveMetrics | null,
): string[] {
  const resources = metrics?.resources ?? {};
  const entries = Object.values(resources).reduce((sum, resource) => sum + resource.entries, 0);
  const ofTags = tags.map((tag) =>
    Object.hasOwn(resources, tag)
      ? `${tag}: ${plural(resources[tag]?.entries ?? 0, 'entry', 'entries')}, all of this resource.`
      : `${tag}: every entry with this tag; ${count(entries)} are cached in all.`,
  );
  const ofPages = pages.map((page) => `${page}: its primary resource, and the page itself.`);
  const ofAll = all
    ? [
        `All of the cache: ${plural(entries, 'entry', 'entries')}, and ${plural(metrics?.pages.entries ?? 0, 'page', 'pages')} built from them.`,
      ]
    : [];
  const consequence = soft
    ? 'The next read of each is served stale and starts a refresh, at most 64 at a time; if that fails, the cached value stays.'
    : 'The next read of each waits for the upstream. Pages built from them are rendered again.';
  return [
    ...ofAll,
    ...ofTags,
    ...ofPages,
    consequence,
    ...(all && !soft ? ['All reads go to the upstream at once: prefer soft.'] : []),
  ];
}
