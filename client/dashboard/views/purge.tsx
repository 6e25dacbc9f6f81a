import { useState } from 'react';
import { useParams } from 'react-router';
import { appliedBy } from '#client/dashboard/applied-by.ts';
import { count, perSecond } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metric.ts';
import { MetricList } from '#client/dashboard/elements/metric-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { ChangeForm, type Proposal } from '#client/dashboard/forms/change-form.tsx';
import { Choice } from '#client/dashboard/forms/choice.tsx';
import { Field } from '#client/dashboard/forms/field.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { LiveMetrics, LivePoint } from '#shared/models/metrics.ts';
import type { Purge } from '#shared/models/ops/ops-api-types.ts';

const TARGETS = {
  tags: 'Entries with a tag',
  pages: 'Pages and their primary resources',
  all: 'Everything',
};

const NAMED = {
  tags: 'post:4711, category:news, event:a-slug, or a resource: ads, navigation, topic… The cache inspector shows the tags of a page.',
  pages: 'Such as /news/a-story. Menus, advertisements and sidebars are shared by all pages and stay.',
};

const WAYS = {
  soft: 'Soft: the cached value is served once more while it is refreshed',
  hard: 'Hard: the next request waits for new data; if the upstream is down, nothing is left to serve',
};

/** Whether the CDN has taken the purges. */
const AT_CDN: Metric<NonNullable<LivePoint['cdn']>>[] = [
  { label: 'queue', of: ({ queueLength }) => count(queueLength) },
  { label: 'calls', of: ({ purgesPerSecond }) => perSecond(purgesPerSecond) },
  { label: 'failed', of: ({ errorsPerSecond }) => perSecond(errorsPerSecond) },
];

/** Purges the cache in two steps: preview, then confirm. `#/purge/post:4711` fills in a tag. */
export function Component() {
  const { metrics } = useLive();
  const ops = useOps();
  const { tag = '' } = useParams();
  const [target, setTarget] = useState<keyof typeof TARGETS>('tags');
  const [named, setNamed] = useState(tag);
  const [way, setWay] = useState<keyof typeof WAYS>('soft');
  const names = named.split(/[\s,]+/).filter((name) => name !== '');

  function propose(): Proposal {
    const soft = way === 'soft';
    const purge: Purge = { ...(target === 'all' ? { all: true } : { [target]: names }), soft };
    return {
      title: soft ? 'Make this stale?' : 'Purge this?',
      action: soft ? 'Purge softly' : 'Purge',
      preview: (
        <ul className="plain">
          {sentencesOf(purge, metrics).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ),
      commit: async () => {
        const { purged, pages, cdn, instances } = await ops.purge(purge);
        const cached =
          target === 'pages' ? `; ${plural(pages, 'named page was', 'named pages were')} cached` : '';
        const atCdn = cdn ? ` At the CDN ${plural(cdn.queued, 'purge is', 'purges are')} queued.` : '';
        return `${plural(purged, 'entry', 'entries')} ${soft ? 'made stale' : 'purged'}${cached}.${atCdn}${appliedBy(instances)}`;
      },
    };
  }

  return (
    <ChangeForm
      propose={propose}
      canPropose={target === 'all' || names.length > 0}
      rest={
        metrics?.cdn && (
          <Panel title="CDN purges">
            <MetricList metrics={AT_CDN} source={metrics.cdn} />
          </Panel>
        )
      }
    >
      <Choice legend="What to purge" options={TARGETS} value={target} onChange={setTarget} />
      {target !== 'all' && (
        <Field
          label={target === 'tags' ? 'Tags' : 'Paths'}
          about={NAMED[target]}
          isWide
          control={(names) => (
            <textarea
              {...names}
              rows={2}
              spellCheck={false}
              value={named}
              onChange={(event) => setNamed(event.target.value)}
            />
          )}
        />
      )}
      <Choice legend="How" options={WAYS} value={way} onChange={setWay} />
    </ChangeForm>
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
