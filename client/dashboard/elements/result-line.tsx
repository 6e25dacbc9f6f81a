import type { Result } from './use-action.ts';

/** Says what became of an action, where it was started. It is always there, so that a screen reader hears it change. */
export function ResultLine({ result, busy = false }: { result: Result | null; busy?: boolean }) {
  return (
    <p role="status" className={`result ${result === null || result.good ? '' : 'bad'}`}>
      {busy ? 'Asking…' : result && `${result.good ? '✓' : '✕ Not done:'} ${result.text}`}
    </p>
  );
}
