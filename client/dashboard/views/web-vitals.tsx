import { useEffect, useState } from 'react';
import type { Measured, MeasuredPage } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { count, duration } from '#client/dashboard/elements/format.ts';
import type { ViewProps } from '#client/dashboard/layout.tsx';

const AGAIN_AFTER_MS = 10_000;

/** Where good ends and poor begins (web.dev, Web Vitals), in the units of the answer. */
const BOUNDS = { largestPaint: [2.5, 4], longestInteraction: [0.2, 0.5], layoutShift: [0.1, 0.25] } as const;

/** What readers' browsers measured, by page and width: asked for anew every ten seconds. */
export function WebVitalsView({ api }: ViewProps) {
  const [measured, setMeasured] = useState<Measured | null>(null);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let gone = false;
    async function ask(): Promise<void> {
      try {
        const response = await api.readers();
        if (!gone) setMeasured(response);
        if (!gone) setFailure('');
      } catch (error) {
        if (!gone) setFailure(error instanceof Error ? error.message : String(error));
      }
      if (!gone) timer = setTimeout(ask, AGAIN_AFTER_MS);
    }
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [api]);

  return (
    <>
      <p className="about">
        One document of ten tells, when it is left, how it was: without cookies, and without a word of who
        read it. KeyedList number is that of the 75th of a hundred readers since the start of this process.
      </p>
      {failure !== '' && <p className="bad">{failure}</p>}
      {measured?.pages.length === 0 && <p>Nobody of the sample has left a page yet.</p>}
      {measured && measured.pages.length > 0 && <PageTable pages={measured.pages} />}
      {measured && measured.failedChunks.length > 0 && <FailedChunks chunks={measured.failedChunks} />}
    </>
  );
}

function PageTable({ pages }: { pages: MeasuredPage[] }) {
  return (
    <div className="scroll">
      <table className="numbers" aria-label="Measured by readers">
        <thead>
          <tr>
            <th scope="col">page</th>
            <th scope="col" className="words">
              window
            </th>
            <th scope="col">
              <Explained name="measured">documents</Explained>
            </th>
            <th scope="col">
              <Explained name="largestPaint">largest paint</Explained>
            </th>
            <th scope="col">
              <Explained name="longestInteraction">longest interaction</Explained>
            </th>
            <th scope="col">
              <Explained name="layoutShift">layout shift</Explained>
            </th>
          </tr>
        </thead>
        <tbody>
          {pages.map((page) => (
            <tr key={`${page.route} ${page.width}`}>
              <th scope="row" className="key">
                {page.route}
              </th>
              <td className="words">{page.width}</td>
              <td data-explains="measured">{count(page.documents)}</td>
              <Rated name="largestPaint" value={page.largestPaint} words={duration} />
              <Rated name="longestInteraction" value={page.longestInteraction} words={duration} />
              <Rated name="layoutShift" value={page.layoutShift} words={shift} />
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
  words: (value: number | null) => string;
}

/** A number with its judgement, in colour and in a word. */
function Rated({ name, value, words }: RatedProps) {
  const { tone, word } = ratingOf(name, value);
  return (
    <td data-explains={name} className={tone}>
      {words(value)}
      {word}
    </td>
  );
}

function ratingOf(name: keyof typeof BOUNDS, value: number | null): { tone: string; word: string } {
  const [good, poor] = BOUNDS[name];
  if (value === null) return { tone: '', word: '' };
  if (value > poor) return { tone: 'bad', word: ' poor' };
  return value > good ? { tone: 'warn', word: ' fair' } : { tone: 'good', word: '' };
}

function shift(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

function FailedChunks({ chunks }: { chunks: Measured['failedChunks'] }) {
  return (
    <>
      <h2>
        <Explained name="failedChunks">Scripts that were not there</Explained>
      </h2>
      <ul>
        {chunks.map((chunk) => (
          <li key={chunk.route} className="bad">
            {chunk.route}: {count(chunk.count)}
          </li>
        ))}
      </ul>
    </>
  );
}
