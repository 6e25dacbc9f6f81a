import type { Candidate } from '#client/dashboard/api/ops-responses.ts';
import { age, count, percent } from '#client/dashboard/elements/format.ts';

const ROWS: { label: string; about: string; of: (candidate: Candidate) => string }[] = [
  { label: 'TTL', about: 'how long an entry is fresh', of: ({ ttl }) => age(ttl) },
  {
    label: 'Hit ratio',
    about: 'reads that did not wait for the upstream',
    of: ({ hitRatio }) => percent(hitRatio),
  },
  { label: 'Fresh', about: 'reads that found a fresh entry', of: ({ freshRatio }) => percent(freshRatio) },
  {
    label: 'Upstream requests/min',
    about: 'the load on the upstream',
    of: ({ upstreamCallsPerMinute }) => count(upstreamCallsPerMinute),
  },
  {
    label: 'Mean age',
    about: 'of what was served',
    of: ({ meanStalenessSeconds }) => age(rounded(meanStalenessSeconds)),
  },
  {
    label: 'Maximum age',
    about: 'of what was served',
    of: ({ maxStalenessSeconds }) => age(rounded(maxStalenessSeconds)),
  },
  {
    label: 'Outdated',
    about: 'reads that got a value which the upstream had replaced',
    of: ({ outdatedRatio }) => percent(outdatedRatio),
  },
];

const rounded = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 10) / 10);

/** Compares two TTLs by what each would have done to the recorded reads. */
export function PolicyComparison({ now, then }: { now: Candidate; then: Candidate }) {
  return (
    <table className="numbers effects">
      <caption>For the recorded reads</caption>
      <thead>
        <tr>
          <th scope="col">Effect</th>
          <th scope="col">Now</th>
          <th scope="col">Then</th>
          <th scope="col" className="words">
            Meaning
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
