import { useState } from 'react';
import { useParams } from 'react-router';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { appliedBy } from '#client/dashboard/applied-by.ts';
import { count, plural } from '#client/dashboard/elements/format.ts';
import { MetricList } from '#client/dashboard/elements/metrics.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { ActionForm, type Outcome } from '#client/dashboard/forms/action-form.tsx';
import { Choice, Field } from '#client/dashboard/forms/fields.tsx';
import { CDN_PURGES } from '#client/dashboard/live/plotted-metrics.ts';
import { useLive } from '#client/dashboard/live/use-live.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';
import type { Purge } from '#shared/models/ops/ops-api-types.ts';

const TARGETS = {
  tags: 'Entries with a tag',
  pages: 'Pages and their primary resources',
  all: 'Everything',
};

const NAMED = {
  tags: {
    label: 'Tags',
    about:
      'post:4711, category:news, event:a-slug, or a resource: ads, navigation, topic… The cache inspector shows the tags of a page.',
  },
  pages: {
    label: 'Paths',
    about: 'Such as /news/a-story. Menus, advertisements and sidebars are shared by all pages and stay.',
  },
};

const WAYS = {
  soft: 'Soft: the cached value is served once more while it is refreshed',
  hard: 'Hard: the next request waits for new data; if the upstream is down, nothing is left to serve',
};

/** Purges the cache in two steps: preview, then confirm. `#/purge/post:4711` fills in a tag. */
export function Component() {
  const metrics = useLive((live) => live.metrics);
  const { tag = '' } = useParams();
  const [target, setTarget] = useState<keyof typeof TARGETS>('tags');
  const [named, setNamed] = useState(tag);
  const [way, setWay] = useState<keyof typeof WAYS>('soft');
  const names = named.split(/[\s,]+/).filter((name) => name !== '');

  function propose(): Outcome {
    const soft = way === 'soft';
    const purge: Purge = { ...(target === 'all' ? { all: true } : { [target]: names }), soft };
    return {
      change: {
        title: soft ? 'Make this stale?' : 'Purge this?',
        action: soft ? 'Purge softly' : 'Purge',
        effects: effectsOf(purge, metrics),
        commit: async () => {
          const { purged, pages, cdn, instances } = await ops.purge(purge);
          const cached =
            target === 'pages' ? `; ${plural(pages, 'named page was', 'named pages were')} cached` : '';
          const atCdn = cdn ? ` At the CDN ${plural(cdn.queued, 'purge is', 'purges are')} queued.` : '';
          return `${entries(purged)} ${soft ? 'made stale' : 'purged'}${cached}.${atCdn}${appliedBy(instances)}`;
        },
      },
    };
  }

  const cdnPurges = metrics?.cdn && (
    <Panel title={CDN_PURGES.title}>
      <MetricList metrics={CDN_PURGES.lines} source={metrics} />
    </Panel>
  );
  return (
    <ActionForm submit={propose} canSubmit={target === 'all' || names.length > 0} rest={cdnPurges}>
      <Choice legend="What to purge" options={TARGETS} value={target} onChange={setTarget} />
      {target !== 'all' && <Field {...NAMED[target]} isWide lines={2} value={named} onChange={setNamed} />}
      <Choice legend="How" options={WAYS} value={way} onChange={setWay} />
    </ActionForm>
  );
}

const entries = (n: number) => plural(n, 'entry', 'entries');

/** Returns what a purge would affect, as far as it is known beforehand, and its consequence. */
function effectsOf({ tags = [], pages = [], all, soft }: Purge, metrics: LiveMetrics | null): string[] {
  const resources = metrics?.resources ?? {};
  const cached = Object.values(resources).reduce((sum, resource) => sum + resource.entries, 0);
  const built = plural(metrics?.pages.entries ?? 0, 'page', 'pages');
  const ofTag = (tag: string) =>
    Object.hasOwn(resources, tag)
      ? `${entries(resources[tag]?.entries ?? 0)}, all of this resource.`
      : `every entry with this tag; ${count(cached)} are cached in all.`;
  return [
    ...(all ? [`All of the cache: ${entries(cached)}, and ${built} built from them.`] : []),
    ...tags.map((tag) => `${tag}: ${ofTag(tag)}`),
    ...pages.map((page) => `${page}: its primary resource, and the page itself.`),
    soft
      ? 'The next read of each is served stale and starts a refresh, at most 64 at a time; if that fails, the cached value stays.'
      : 'The next read of each waits for the upstream. Pages built from them are rendered again.',
    ...(all && !soft ? ['All reads go to the upstream at once: prefer soft.'] : []),
  ];
}
