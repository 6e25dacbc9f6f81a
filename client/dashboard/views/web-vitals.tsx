import { useQuery } from '@tanstack/react-query';
import type { PageWebVitals } from '#client/dashboard/api/ops-responses.ts';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { count, duration } from '#client/dashboard/elements/format.ts';
import { metricNames } from '#client/dashboard/elements/metric.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';

const POLL_MS = 10_000;

const COLUMNS: Column<PageWebVitals>[] = [
  { label: 'Page', of: ({ route }) => route, classOf: () => 'key' },
  { label: 'Device', isText: true, of: ({ device }) => device },
  {
    label: 'Documents',
    about: 'Documents that were measured, one of ten, and have been left since the start.',
    metric: 'web_vitals_cls',
    of: ({ documents }) => count(documents),
  },
  rated(({ lcpSeconds }) => lcpSeconds, duration, [2.5, 4], {
    label: 'LCP',
    about: 'Largest Contentful Paint: 75 % of documents had it by then. Up to 2.5 s is good, past 4 s poor.',
    metric: 'web_vitals_lcp_seconds',
  }),
  rated(({ inpSeconds }) => inpSeconds, duration, [0.2, 0.5], {
    label: 'INP',
    about:
      'Interaction to Next Paint: 75 % of documents took at most this long. Up to 200 ms is good, past 500 ms poor.',
    metric: 'web_vitals_inp_seconds',
  }),
  rated(({ cls }) => cls, score, [0.1, 0.25], {
    label: 'CLS',
    about: 'Cumulative Layout Shift: 75 % of documents had at most this. Up to 0.1 is good, past 0.25 poor.',
    metric: 'web_vitals_cls',
  }),
];

/** Returns a column with a rating: a colour, and a word unless it is good. Good up to the first bound, poor above the second (web.dev, Web Vitals). */
function rated(
  measuredOf: (page: PageWebVitals) => number | null,
  format: (value: number | null) => string,
  [good, poor]: readonly [good: number, poor: number],
  metric: Pick<Column<PageWebVitals>, 'label' | 'about' | 'metric'>,
): Column<PageWebVitals> {
  const ratingOf = (page: PageWebVitals) => {
    const value = measuredOf(page);
    if (value === null) return { tone: '', word: '' };
    if (value > poor) return { tone: 'bad', word: ' poor' };
    return value > good ? { tone: 'warn', word: ' needs improvement' } : { tone: 'good', word: '' };
  };
  return {
    ...metric,
    of: (page) => `${format(measuredOf(page))}${ratingOf(page).word}`,
    classOf: (page) => ratingOf(page).tone,
  };
}

function score(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

/** Renders the 75th percentiles of LCP, INP and CLS by route and device, and chunk load errors; polls every ten seconds. */
export function Component() {
  const { data, error } = useQuery({
    queryKey: ['web vitals'],
    queryFn: useOps().webVitals,
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <Panel title="By page and device" docs="metrics-and-alerts" metrics={metricNames(COLUMNS)}>
        <p className="about">
          One document of ten reports its Web Vitals when it is left, without cookies and without anything
          about its reader. Each number is the 75th percentile since the start of this process.
        </p>
        {error && <p className="bad">{error.message}</p>}
        {data?.pages.length === 0 && <p>No document of the sample has been left yet.</p>}
        {data && data.pages.length > 0 && (
          <DataGrid
            label="Web Vitals"
            columns={COLUMNS}
            rows={data.pages}
            keyOf={({ route, device }) => `${route} ${device}`}
          />
        )}
      </Panel>
      <Panel
        title="Chunk load errors"
        docs="deploy-without-downtime"
        metrics={['web_vitals_chunk_load_errors_total']}
      >
        <p className="about">
          Scripts that measured documents asked for and did not get. After a deploy they mean that ASSETS_DIR
          has lost the previous assets.
        </p>
        {data?.chunkLoadErrors.length === 0 && <p>None.</p>}
        <ul>
          {data?.chunkLoadErrors.map(({ route, count: n }) => (
            <li key={route} className="bad">
              {route}: {count(n)}
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}
