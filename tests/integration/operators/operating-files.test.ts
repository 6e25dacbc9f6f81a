import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { declarations } from '#shared/metric-declarations.ts';
import { readAlerts, readRecordings } from '../../prometheus/rule-files.ts';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const folder = join(import.meta.dirname, '../../../docs/operating');

const Panel = z.discriminatedUnion('type', [
  z.object({ type: z.literal('row'), title: z.string().min(1) }),
  z.object({
    type: z.literal('timeseries'),
    title: z.string().min(1),
    description: z.string().min(1),
    fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }) }),
    targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1) })).min(1),
    gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  }),
]);
const Dashboard = z.object({
  title: z.string(),
  schemaVersion: z.number(),
  panels: z.array(Panel.and(z.object({ id: z.number() }))).min(10),
});

/** The labels of each series, with their values, by its name. */
type SeriesByName = Map<string, Map<string, Set<string>>>;

/** Series of a site with Redis, a CDN and a site folder, and of one with none of them. */
let series: SeriesByName;
let seriesOfPlainSite: SeriesByName;
/** Names of what the first of them exports, also without a series. */
let exported: Set<string>;
/** What only a site with Redis or a CDN has. */
const CONDITIONAL = /^(redis_up$|cdn_)/;

let redis: RedisServer;
const sites: SiteUnderTest[] = [];

beforeAll(async () => {
  redis = await startRedis();
  seriesOfPlainSite = await seriesAfterRequests({});
  // Nothing listens there: a purge fails, and is counted.
  const env = {
    REDIS_URL: redis.url,
    CDN: 'varnish',
    CDN_PURGE_URL: 'http://127.0.0.1:9',
    SITE_DIR: join(import.meta.dirname, '../../../examples/site'),
  };
  series = await seriesAfterRequests(env, 'cdn_purges_total{outcome="failed"}');
  const text = await (await fetch(`${sites.at(-1)?.ops}/metrics`)).text();
  exported = new Set(Array.from(text.matchAll(/^# TYPE (\w+)/gm), ([, name = '']) => name));
});
afterAll(async () => {
  for (const site of sites) await site.close();
  await redis.stop();
});

/** Starts a site, makes requests of each kind, and returns what it exports once that has `awaited`. */
async function seriesAfterRequests(env: Record<string, string>, awaited = ''): Promise<SeriesByName> {
  const site = await startSiteUnderTest(env);
  sites.push(site);
  await fetch(`${site.ops}/cache/purge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"all":true}',
  });
  for (const path of ['/', '/topic/news', '/api/home']) await fetch(site.origin + path);
  const measured = { route: '/', width: 'wide', lcp: 900, inp: 40, cls: 0, failedChunks: 0 };
  await fetch(`${site.origin}/api/vitals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(measured),
  });
  const metrics = async () => (await fetch(`${site.ops}/metrics`)).text();
  await vi.waitFor(async () => expect(await metrics()).toContain(awaited), 60_000);
  return seriesOf(await metrics());
}

function seriesOf(text: string): SeriesByName {
  const found: SeriesByName = new Map();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Map<string, Set<string>>();
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
    found.set(name, known);
  }
  return found;
}

/** Keywords of PromQL. */
const WORDS = new Set(['by', 'without', 'on', 'or', 'and', 'unless', 'offset', 'bool']);
/** Labels that Prometheus adds. */
const ADDED = new Set(['instance', 'job']);
/** Label of the buckets of histograms, beside which an expression may have other series. */
const BUCKET_LABEL = 'le';
/** Series that Prometheus makes of each scrape. */
const ADDED_SERIES = new Set(['up']);

/** Values that a healthy site does not show. */
const UNSEEN = new Set(['5..', 'not-found', 'stale']);

interface Selector {
  name: string;
  /** Labels to group by have no values. */
  labels: { label: string; values: string[] }[];
}

/** Returns the series of a PromQL expression, and the labels it selects or groups them by. */
function selectorsOf(expression: string): Selector[] {
  const grouping = /\b(?:by|without|on)\s*\(([^)]*)\)/g;
  const grouped = [...expression.matchAll(grouping)].flatMap(([, names = '']) => names.split(/\s*,\s*/));
  const bare = expression.replace(grouping, ' ').replace(/\[[^\]]*\]/g, ' ');
  return [...bare.matchAll(/(?<![\w.])([a-zA-Z_]\w*)\s*(\(|\{[^}]*\})?/g)].flatMap(
    ([, name = '', rest = '']) => {
      if (rest === '(' || WORDS.has(name)) return [];
      const selected = [...rest.matchAll(/(\w+)\s*(?:=~|!=|!~|=)"([^"]*)"/g)].map(
        ([, label = '', values = '']) => ({ label, values: values.split('|') }),
      );
      const labels = [...selected, ...grouped.map((label) => ({ label, values: [] }))];
      const hasLabel = (label: string) =>
        !ADDED.has(label) && (label !== BUCKET_LABEL || name.endsWith('_bucket'));
      return [{ name, labels: labels.filter(({ label }) => hasLabel(label)) }];
    },
  );
}

function expectKnown(expression: string): void {
  const selectors = selectorsOf(expression);
  expect(selectors.length, expression).toBeGreaterThan(0);
  for (const { name, labels } of selectors) {
    if (ADDED_SERIES.has(name)) continue;
    const known = series.get(name);
    expect(known, `${name} in ${expression}`).toBeDefined();
    if (!CONDITIONAL.test(name))
      expect(seriesOfPlainSite.has(name), `${name} of a site without Redis and CDN`).toBe(true);
    for (const { label, values } of labels) {
      expect([...(known?.keys() ?? [])], `${name} in ${expression}`).toContain(label);
      for (const value of values.filter((one) => !UNSEEN.has(one)))
        expect([...(known?.get(label) ?? [])], `${label} of ${name} in ${expression}`).toContain(value);
    }
  }
}

describe('the parsing of an expression', () => {
  it('finds its series and their labels, and nothing else', () => {
    const expression =
      '0.5 * histogram_quantile(0.9, sum by (le, route) (rate(a_bucket{status=~"5..",x=~"b|c"}[5m] offset 1d))) > 1e9 or d != 1';
    expect(selectorsOf(expression)).toEqual([
      {
        name: 'a_bucket',
        labels: [
          { label: 'status', values: ['5..'] },
          { label: 'x', values: ['b', 'c'] },
          { label: 'le', values: [] },
          { label: 'route', values: [] },
        ],
      },
      {
        name: 'd',
        labels: [{ label: 'route', values: [] }],
      },
    ]);
  });
});

/** Expects series of declared metrics with their labels, which the site may export at their first event alone; or any it exports. */
function expectDeclared(expression: string): void {
  const declared = new Map<string, readonly string[]>(
    declarations().map(([name, { labels }]) => [name, [...labels, 'le', 'instance']]),
  );
  for (const { name, labels } of selectorsOf(expression)) {
    const known = declared.get(name.replace(/_bucket$/, ''));
    if (known === undefined) expectKnown(expression);
    else for (const { label } of labels) expect(known, `${name} in ${expression}`).toContain(label);
  }
}

it('every metric of the table is exported', () => {
  for (const [name] of declarations()) expect(exported, 'server/ops/metrics').toContain(name);
});

describe('the Grafana dashboard', () => {
  it('has titled panels with units, whose series the site exports', async () => {
    const text = await readFile(join(folder, 'grafana-dashboard.json'), 'utf8');
    const { panels } = Dashboard.parse(JSON.parse(text));
    for (const panel of panels) {
      if (panel.type === 'row') continue;
      for (const { expr } of panel.targets) expectDeclared(withoutRecorded(expr));
    }
  });

  it('has no two panels in one place or with one id', async () => {
    const text = await readFile(join(folder, 'grafana-dashboard.json'), 'utf8');
    const { panels } = Dashboard.parse(JSON.parse(text));
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const places = panels.flatMap((panel) => {
      if (panel.type === 'row') return [];
      const { x, y, w, h } = panel.gridPos;
      return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`);
    });
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('the rules of Prometheus', () => {
  it('use series that the site exports, or that are recorded', () => {
    for (const { expr } of readRecordings()) expectKnown(expr);
    for (const { expr } of readAlerts()) expectKnown(withoutRecorded(expr));
  });
});

/** Replaces what is recorded by a series that each site has. */
function withoutRecorded(expression: string): string {
  const recorded = new Set(readRecordings().map(({ record }) => record));
  return expression.replace(/\bsite:[\w:]+/g, (name) => (recorded.has(name) ? 'build_info' : name));
}
