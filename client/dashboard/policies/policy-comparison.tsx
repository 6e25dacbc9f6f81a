import type { Candidate } from '#client/dashboard/api/ops-responses.ts';
import { age, count, percent } from '#client/dashboard/elements/format.ts';

const ROWS: { label: string; about: string; of: (candidate: Candidate) => string }[] = [
  { label: 'ttl', about: 'fresh for so long', of: ({ ttl }) => age(ttl) },
  {
    label: 'from memory',
    about: 'reads that did not wait for the upstream',
    of: ({ hitRatio }) => percent(hitRatio),
  },
  {
    label: 'fresh',
    about: 'reads that found a copy within its ttl',
    of: ({ freshRatio }) => percent(freshRatio),
  },
  {
    label: 'calls a minute',
    about: 'what it costs the upstream',
    of: ({ upstreamCallsPerMinute }) => count(upstreamCallsPerMinute),
  },
  {
    label: 'mean age',
    about: 'of what readers were given',
    of: ({ meanStalenessSeconds }) => age(rounded(meanStalenessSeconds)),
  },
  {
    label: 'greatest age',
    about: 'of what a reader was given',
    of: ({ maxStalenessSeconds }) => age(rounded(maxStalenessSeconds)),
  },
  {
    label: 'outdated',
    about: 'answers that had changed upstream by then',
    of: ({ outdatedRatio }) => percent(outdatedRatio),
  },
];

const rounded = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 10) / 10);

/** Two ttls side by side, for the same readers. */
export function PolicyComparison({ now, then }: { now: Candidate; then: Candidate }) {
  return (
    <table className="numbers effects">
      <caption>For the same readers</caption>
      <thead>
        <tr>
          <th scope="col">effect</th>
          <th scope="col">now</th>
          <th scope="col">then</th>
          <th scope="col" className="words">
            means
          </th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ label, about, of }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{of(now)}</td>
            <td className={of(now) === of(then) ? '' : 'differs'}>{of(then)}</td>
            <td className="words">{about}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
