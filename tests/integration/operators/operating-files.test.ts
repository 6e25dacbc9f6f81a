import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
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

/** The labels of each series that the site exports, with their values, by its name. */
let series: Map<string, Map<string, Set<string>>>;
let site: SiteUnderTest;

beforeAll(async () => {
  // Nothing listens there: a purge fails, and is counted.
  site = await startSiteUnderTest({ CDN: 'varnish', CDN_PURGE_URL: 'http://127.0.0.1:9' });
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
  await vi.waitFor(
    async () => expect(await metrics()).toContain('cdn_purges_total{outcome="failed"}'),
    20_000,
  );
  series = seriesOf(await metrics());
});
afterAll(() => site.close());

function seriesOf(text: string): typeof series {
  const found: typeof series = new Map();
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

/** Values that a healthy site does not show. */
const UNSEEN = new Set(['5..']);

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
      return [{ name, labels: labels.filter(({ label }) => !ADDED.has(label)) }];
    },
  );
}

function expectKnown(expression: string): void {
  const selectors = selectorsOf(expression);
  expect(selectors.length, expression).toBeGreaterThan(0);
  for (const { name, labels } of selectors) {
    const known = series.get(name);
    expect(known, `${name} in ${expression}`).toBeDefined();
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
        labels: [
          { label: 'le', values: [] },
          { label: 'route', values: [] },
        ],
      },
    ]);
  });
});

describe('the Grafana dashboard', () => {
  it('has titled panels with units, whose series the site exports', async () => {
    const text = await readFile(join(folder, 'grafana-dashboard.json'), 'utf8');
    const { panels } = Dashboard.parse(JSON.parse(text));
    for (const panel of panels) {
      if (panel.type === 'row') continue;
      for (const { expr } of panel.targets) expectKnown(expr);
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

describe('the alert rules', () => {
  /** The file keeps to `key: value` lines. */
  async function rules(): Promise<{ alert: string; lines: Map<string, string> }[]> {
    const text = await readFile(join(folder, 'alerts.yaml'), 'utf8');
    return text
      .split(/^ {6}- alert: /m)
      .slice(1)
      .map((block) => {
        const [alert = '', ...lines] = block.split('\n');
        const pairs = lines.flatMap((line) => {
          const [, key, value] = /^\s+(\w+): (.+)$/.exec(line) ?? [];
          return key !== undefined && value !== undefined ? [[key, value] as const] : [];
        });
        return { alert, lines: new Map(pairs) };
      });
  }

  it('use series that the site exports', async () => {
    const all = await rules();
    expect(all.length).toBeGreaterThan(10);
    for (const { lines } of all) expectKnown(lines.get('expr') ?? '');
  });

  it('have a severity, a duration, a summary and a description, each under a unique name', async () => {
    const all = await rules();
    expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length);
    for (const { alert, lines } of all) {
      expect(lines.get('severity'), alert).toMatch(/^(page|look)$/);
      expect(lines.get('for'), alert).toMatch(/^\d+m$/);
      expect(lines.get('summary'), alert).toMatch(/^".+"$/);
      expect(lines.get('description'), alert).toMatch(/^".+"$/);
    }
  });
});
