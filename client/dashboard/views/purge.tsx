import { type FormEvent, useRef, useState } from 'react';
import type { Purge } from '#client/dashboard/api/ops-responses.ts';
import { Confirmation } from '#client/dashboard/elements/confirmation.tsx';
import { count } from '#client/dashboard/elements/format.ts';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/layout.tsx';
import type { LiveMetrics } from '#shared/models/metrics.ts';

type What = 'tags' | 'pages' | 'all';

const WHAT: Record<What, string> = {
  tags: 'What carries a tag',
  pages: 'Pages, and what they are about',
  all: 'Everything',
};

/** Takes answers out of the cache, in two steps: what it would touch, then doing it. `#/purge/post:4711` names a tag. */
export function PurgeView({ api, live: { metrics }, words: [tag = ''] }: ViewProps) {
  const [what, setWhat] = useState<What>('tags');
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
    setProposed({ ...(what === 'all' ? { all: true } : { [what]: names }), soft });
  }

  function close(): void {
    setProposed(null);
    review.current?.focus();
  }

  function purge(wanted: Purge): void {
    void action.run(async () => {
      const { purged, pages } = await api.purge(wanted);
      close();
      const done = wanted.soft ? 'made stale' : 'taken out';
      return `${responses(purged)} ${done}${wanted.pages ? `, and ${count(pages)} of the named pages stood` : ''}.`;
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
                name="what"
                checked={what === name}
                onChange={() => change(() => setWhat(name))}
              />
              {WHAT[name]}
            </label>
          ))}
        </fieldset>
        {what !== 'all' && (
          <div className="field wide">
            <label htmlFor="names">{what === 'tags' ? 'Tags' : 'Paths'}</label>
            <textarea
              id="names"
              rows={2}
              required
              spellCheck={false}
              value={named}
              aria-describedby="names-about"
              onChange={({ target }) => change(() => setNamed(target.value))}
            />
            <span id="names-about" className="about">
              {what === 'tags'
                ? 'post:4711, category:news, event:a-slug, or a resource: ads, navigation, topic… Explain shows which tags a page carries.'
                : 'Such as /news/a-story. Menus, advertisements and sidebars belong to every page and stay.'}
            </span>
          </div>
        )}
        <fieldset>
          <legend>How</legend>
          <label className="choice">
            <input type="radio" name="how" checked={soft} onChange={() => change(() => setSoft(true))} />
            Soft: the old copy is served once more, while it is refreshed
          </label>
          <label className="choice">
            <input type="radio" name="how" checked={!soft} onChange={() => change(() => setSoft(false))} />
            Hard: the next reader waits for new data; if the upstream is down, there is no copy left
          </label>
        </fieldset>
        <div className="buttons">
          <button
            type="submit"
            ref={review}
            className="primary"
            disabled={what !== 'all' && names.length === 0}
          >
            Show what it would do
          </button>
        </div>
      </form>
      <div className="outcome">
        <ResultLine {...action} />
        {proposed && (
          <Confirmation
            title={proposed.soft ? 'Make this stale?' : 'Take this out?'}
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

function responses(many: number): string {
  return `${count(many)} ${many === 1 ? 'answer' : 'responses'}`;
}

/** What a purge would touch, as far as it can be known beforehand, and what comes of it. */
function sentencesOf(
  { tags = [], pages = [], all = false, soft = false }: Purge,
  metrics: LiveMetrics | null,
): string[] {
  const resources = metrics?.resources ?? {};
  const entries = Object.values(resources).reduce((sum, resource) => sum + resource.entries, 0);
  const ofTags = tags.map((tag) =>
    Object.hasOwn(resources, tag)
      ? `${tag}: ${responses(resources[tag]?.entries ?? 0)}, which is all of this resource.`
      : `${tag}: every answer that carries this tag, wherever it stands; ${count(entries)} are cached in all.`,
  );
  const ofPages = pages.map((page) => `${page}: its own subject, and the page itself.`);
  const ofAll = all
    ? [
        `All of the cache: ${responses(entries)}, and the finished pages made of them, of which there are ${count(metrics?.pages.entries ?? 0)}.`,
      ]
    : [];
  const comes = soft
    ? 'Each is served once more and refreshed when its next reader comes, at most 64 at a time; if that fails, the copy stays.'
    : 'The next reader of each waits for the upstream. Pages made of them are made anew.';
  return [
    ...ofAll,
    ...ofTags,
    ...ofPages,
    comes,
    ...(all && !soft ? ['Everything goes to the upstream at once: soft is kinder.'] : []),
  ];
}
