import {
  BOARD_ROWS,
  type BoardPanel,
  declarations,
  kindOf,
  type MetricDeclaration,
  type MetricName,
} from '#shared/metric-declarations.ts';

/** The Grafana board: a panel for each metric, and for what is made of several. */

interface Target {
  expr: string;
  legendFormat: string;
}

interface Panel {
  title: string;
  description: string;
  unit: string;
  targets: readonly Target[];
}

const COLUMNS = 24;
const WIDTH = 6;
const HEIGHT = 7;
const SELECTED = 'instance=~"$instance"';
const RATE = '$__rate_interval';

/** Units of Grafana. */
const UNITS: Readonly<Record<string, string>> = { seconds: 's', bytes: 'bytes', none: 'none' };
const RATE_UNITS: Readonly<Record<string, string>> = { requests: 'reqps', messages: 'ops', items: 'ops' };

/** Panels of what is made of several metrics. */
const RATIOS: Partial<Record<BoardPanel['row'], readonly Panel[]>> = {
  Requests: [
    {
      title: 'Error rate',
      description: 'Responses with a 5xx status.',
      unit: 'percentunit',
      targets: [target(shareOf('http_requests_total', 'status=~"5.."'), 'error rate')],
    },
    {
      title: 'Hit ratio',
      description: 'Responses that were ready, fresh or stale, and the stale ones alone.',
      unit: 'percentunit',
      targets: [
        target(shareOf('response_cache_requests_total', 'result=~"hit|stale"'), 'hit ratio'),
        target(shareOf('response_cache_requests_total', 'result="stale"'), 'stale'),
      ],
    },
    slowest('Slowest routes, p95', 'http_request_duration_seconds', 'route'),
    {
      title: 'Error budget, burn rate',
      description:
        'How many times faster than sustainable each error budget of 30 days is used up, over an hour; 14.4 alerts. Needs recording-rules.yaml.',
      unit: 'none',
      targets: [
        target('site:http_requests_failed:ratio_rate1h / 0.001', 'availability'),
        target('site:http_requests_slow:ratio_rate1h / 0.01', 'latency'),
        target('site:cache_refreshes_failed:ratio_rate1h / 0.01', 'freshness'),
      ],
    },
  ],
  Upstream: [slowest('Slowest upstream operations, p95', 'upstream_request_duration_seconds', 'operation')],
  Process: [
    {
      title: 'CPU',
      description: '1 is one core, which is all that the event loop can use.',
      unit: 'percentunit',
      targets: [
        target(`sum by (instance) (rate(process_cpu_seconds_total{${SELECTED}}[${RATE}]))`, '{{instance}}'),
      ],
    },
  ],
};

function target(expr: string, legendFormat: string): Target {
  return { expr, legendFormat };
}

function shareOf(metric: string, condition: string): string {
  return `sum(rate(${metric}{${SELECTED},${condition}}[${RATE}])) / sum(rate(${metric}{${SELECTED}}[${RATE}]))`;
}

function slowest(title: string, metric: string, label: string): Panel {
  const buckets = `sum by (le, ${label}) (rate(${metric}_bucket{${SELECTED}}[${RATE}]))`;
  return {
    title,
    description: `The six slowest by ${label}.`,
    unit: 's',
    targets: [target(`topk(6, histogram_quantile(0.95, ${buckets}))`, `{{${label}}}`)],
  };
}

function unitOf(name: MetricName, declared: MetricDeclaration['unit']): string {
  const [, ending] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? [];
  return ending ?? declared ?? (kindOf(name) === 'counter' ? 'requests' : 'none');
}

function panelOf(name: MetricName, { help, board, ...declared }: MetricDeclaration): Panel {
  const kind = kindOf(name);
  const unit = unitOf(name, declared.unit);
  const { title, by = [], quantiles = [], window = RATE } = board;
  const legend = by.map((label) => `{{${label}}}`).join(' ');
  const grouped = (labels: readonly string[]) => (labels.length === 0 ? '' : ` by (${labels.join(', ')}) `);
  const about = { title, description: help };
  if (kind === 'histogram') {
    const buckets = `sum${grouped(['le', ...by])}(rate(${name}_bucket{${SELECTED}}[${window}]))`;
    const targets = quantiles.map((q) =>
      target(`histogram_quantile(${q}, ${buckets})`, `p${q * 100} ${legend}`.trim()),
    );
    return { ...about, unit: UNITS[unit] ?? 'none', targets };
  }
  if (kind === 'counter') {
    const expr = `sum${grouped(by)}(rate(${name}{${SELECTED}}[${window}]))`;
    return { ...about, unit: RATE_UNITS[unit] ?? 'none', targets: [target(expr, legend || title)] };
  }
  const { aggregate = unit === 'none' || unit === 'seconds' ? 'max' : 'sum' } = board;
  const of = (how: string) => `${how}${grouped(by)}(${name}{${SELECTED}})`;
  const expr = aggregate === 'age' ? `time() - ${of('max')}` : of(aggregate);
  return { ...about, unit: UNITS[unit] ?? 'short', targets: [target(expr, legend || title)] };
}

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** Returns the board as Grafana imports it. */
export function grafanaBoard(): string {
  const panels: object[] = [];
  let y = 0;
  for (const row of BOARD_ROWS) {
    const shown = [
      ...(RATIOS[row] ?? []),
      ...declarations().flatMap(([name, metric]) =>
        metric.board.row === row ? [panelOf(name, metric)] : [],
      ),
    ];
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      collapsed: false,
      panels: [],
    });
    y += 1;
    for (const [nth, { title, description, unit, targets }] of shown.entries()) {
      const place = { x: (nth * WIDTH) % COLUMNS, y: y + Math.floor((nth * WIDTH) / COLUMNS) * HEIGHT };
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title,
        description,
        datasource: DATASOURCE,
        gridPos: { ...place, w: WIDTH, h: HEIGHT },
        fieldConfig: {
          defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 5, showPoints: 'never' } },
          overrides: [],
        },
        options: {
          legend: { displayMode: 'list', placement: 'bottom' },
          tooltip: { mode: 'multi' },
        },
        targets: targets.map((one, index) => ({
          refId: String.fromCharCode(65 + index),
          datasource: DATASOURCE,
          ...one,
        })),
      });
    }
    y += Math.ceil((shown.length * WIDTH) / COLUMNS) * HEIGHT;
  }
  return `${JSON.stringify({ ...BOARD, panels }, null, 2)}\n`;
}

const BOARD = {
  uid: 'martech-meridian',
  title: 'Martech Meridian',
  description: 'Made by npm run docs of shared/metric-declarations.ts.',
  tags: ['martech-meridian'],
  timezone: 'browser',
  editable: true,
  schemaVersion: 39,
  version: 1,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
      {
        name: 'instance',
        label: 'Server',
        type: 'query',
        datasource: DATASOURCE,
        query: { query: 'label_values(cache_mode_info, instance)', refId: 'servers' },
        refresh: 2,
        includeAll: true,
        multi: true,
        allValue: '.*',
        current: { text: 'All', value: '$__all' },
      },
    ],
  },
  annotations: { list: [] },
  links: [],
};
