import { useEffect, useState } from 'react';
import type { PageWebVitals, WebVitalsSummary } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { EXPLANATIONS } from '#client/dashboard/elements/explanations.ts';
import { count, duration } from '#client/dashboard/elements/format.ts';
import { MetricNames } from '#client/dashboard/elements/metric-names.tsx';
import type { ViewProps } from '#client/dashboard/use-view.ts';

const POLL_MS = 10_000;

/** Good up to the first, poor above the second (web.dev, Web Vitals); LCP and INP in seconds. */
const BOUNDS = { lcp: [2.5, 4], inp: [0.2, 0.5], cls: [0.1, 0.25] } as const;

const METRICS = [
  EXPLANATIONS.lcp.metric,
  EXPLANATIONS.inp.metric,
  EXPLANATIONS.cls.metric,
  EXPLANATIONS.chunkLoadErrors.metric,
];

/** Renders the 75th percentiles of LCP, INP and CLS by route and device, and chunk load errors; polls every ten seconds. */
export function WebVitalsView({ api }: ViewProps) {
  const [summary, setSummary] = useState<WebVitalsSummary | null>(null);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let unmounted = false;
    async function poll(): Promise<void> {
      try {
        const response = await api.webVitals();
        if (!unmounted) setSummary(response);
        if (!unmounted) setFailure('');
      } catch (error) {
        if (!unmounted) setFailure(error instanceof Error ? error.message : String(error));
      }
      if (!unmounted) timer = setTimeout(poll, POLL_MS);
    }
    void poll();
    return () => {
      unmounted = true;
      clearTimeout(timer);
    };
  }, [api]);

  return (
    <>
      <p className="about">
        One document of ten reports its Web Vitals when it is left, without cookies and without anything about
        its reader. Each number is the 75th percentile since the start of this process.
      </p>
      <MetricNames names={METRICS} />
      {failure !== '' && <p className="bad">{failure}</p>}
      {summary?.pages.length === 0 && <p>No document of the sample has been left yet.</p>}
      {summary && summary.pages.length > 0 && <PageTable pages={summary.pages} />}
      {summary && summary.chunkLoadErrors.length > 0 && <ChunkLoadErrors errors={summary.chunkLoadErrors} />}
    </>
  );
}

function PageTable({ pages }: { pages: PageWebVitals[] }) {
  return (
    <div className="scroll">
      <table className="numbers" aria-label="Web Vitals">
        <thead>
          <tr>
            <th scope="col">Page</th>
            <th scope="col" className="words">
              Device
            </th>
            <th scope="col">
              <Explained name="documents">Documents</Explained>
            </th>
            <th scope="col">
              <Explained name="lcp">LCP</Explained>
            </th>
            <th scope="col">
              <Explained name="inp">INP</Explained>
            </th>
            <th scope="col">
              <Explained name="cls">CLS</Explained>
            </th>
          </tr>
        </thead>
        <tbody>
          {pages.map((page) => (
            <tr key={`${page.route} ${page.device}`}>
              <th scope="row" className="key">
                {page.route}
              </th>
              <td className="words">{page.device}</td>
              <td data-explains="documents">{count(page.documents)}</td>
              <Rated name="lcp" value={page.lcpSeconds} format={duration} />
              <Rated name="inp" value={page.inpSeconds} format={duration} />
              <Rated name="cls" value={page.cls} format={score} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RatedProps {
  name: keyof typeof BOUNDS;
  value: number | null;
  format: (value: number | null) => string;
}

/** Renders a number with its rating: a colour, and a word unless it is good. */
function Rated({ name, value, format }: RatedProps) {
  const { tone, word } = ratingOf(name, value);
  return (
    <td data-explains={name} className={tone}>
      {format(value)}
      {word}
    </td>
  );
}

function ratingOf(name: keyof typeof BOUNDS, value: number | null): { tone: string; word: string } {
  const [good, poor] = BOUNDS[name];
  if (value === null) return { tone: '', word: '' };
  if (value > poor) return { tone: 'bad', word: ' poor' };
  return value > good ? { tone: 'warn', word: ' needs improvement' } : { tone: 'good', word: '' };
}

function score(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

function ChunkLoadErrors({ errors }: { errors: WebVitalsSummary['chunkLoadErrors'] }) {
  return (
    <>
      <h2>
        <Explained name="chunkLoadErrors">Chunk load errors</Explained>
      </h2>
      <ul>
        {errors.map(({ route, count: n }) => (
          <li key={route} className="bad">
            {route}: {count(n)}
          </li>
        ))}
      </ul>
    </>
  );
}
