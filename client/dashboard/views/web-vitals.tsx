import { useQuery } from '@tanstack/react-query';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Column, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { count, duration, score } from '#client/dashboard/elements/format.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import type { PageWebVitals } from '#shared/models/ops/ops-api-types.ts';

const POLL_MS = 10_000;

const COLUMNS: Column<PageWebVitals>[] = [
  { label: 'Page', of: ({ route }) => route, classOf: () => 'key' },
  { label: 'Device', isText: true, of: ({ device }) => device },
  { label: 'Documents', of: ({ documents }) => count(documents) },
  rated('LCP', ({ lcpSeconds }) => lcpSeconds, duration, [2.5, 4]),
  rated('INP', ({ inpSeconds }) => inpSeconds, duration, [0.2, 0.5]),
  rated('CLS', ({ cls }) => cls, score, [0.1, 0.25]),
];

/** Returns a column with a rating: a colour, and a word unless it is good. Good up to the first bound, poor above the second (web.dev, Web Vitals). */
function rated(
  label: string,
  numberOf: (page: PageWebVitals) => number | null,
  format: (value: number | null) => string,
  [good, poor]: readonly [good: number, poor: number],
): Column<PageWebVitals> {
  const ratingOf = (page: PageWebVitals) => {
    const value = numberOf(page);
    if (value === null) return { tone: '', word: '' };
    if (value > poor) return { tone: 'bad', word: ' poor' };
    return value > good ? { tone: 'warn', word: ' needs improvement' } : { tone: 'good', word: '' };
  };
  return {
    label,
    of: (page) => `${format(numberOf(page))}${ratingOf(page).word}`,
    classOf: (page) => ratingOf(page).tone,
  };
}

/** Renders the 75th percentiles of LCP, INP and CLS by route and device, and chunk load errors; polls every ten seconds. */
export function Component() {
  const { data, error } = useQuery({
    queryKey: ['web vitals'],
    queryFn: ops.webVitals,
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <GridPanel
        title="Web Vitals by page and device"
        label="Web Vitals"
        error={error}
        columns={COLUMNS}
        rows={data?.pages}
        keyOf={({ route, device }) => `${route} ${device}`}
        empty="No document of the sample has been left yet."
      />
      <Panel title="Chunk load errors">
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
