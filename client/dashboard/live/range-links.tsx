import { Link } from 'react-router';
import { TIME_RANGES } from './time-ranges.ts';

/** Links to the ranges of the plots: an address that shows what its sender saw. */
export function RangeLinks({ minutes: shown }: { minutes: number }) {
  return (
    <nav aria-label="Range" className="ranges">
      <ul>
        {TIME_RANGES.map(({ minutes, label }) => (
          <li key={minutes}>
            <Link to={`/overview/${minutes}`} aria-current={minutes === shown ? 'true' : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
