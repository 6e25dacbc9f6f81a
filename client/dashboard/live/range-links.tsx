import { TIME_RANGES } from './time-ranges.ts';

/** Links to the ranges of the plots: an address that shows what its sender saw. */
export function RangeLinks({ minutes: shown }: { minutes: number }) {
  return (
    <nav aria-label="Range" className="ranges">
      <ul>
        {TIME_RANGES.map(({ minutes, label }) => (
          <li key={minutes}>
            <a href={`#/overview/${minutes}`} aria-current={minutes === shown ? 'true' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
