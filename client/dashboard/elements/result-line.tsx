import type { Result } from './use-action.ts';

/** Shows the result of an action beside its form. Always mounted, so that a screen reader announces each change. */
export function ResultLine({ result, busy = false }: { result: Result | null; busy?: boolean }) {
  return (
    <p role="status" className={`result ${result === null || result.ok ? '' : 'bad'}`}>
      {busy ? 'Working…' : result && `${result.ok ? '✓' : '✕ Not done:'} ${result.text}`}
    </p>
  );
}
