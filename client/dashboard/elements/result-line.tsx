interface ResultLineProps {
  busy: boolean;
  error: Error | null;
  /** What was done. */
  text?: string | undefined;
}

/** Shows the result of an action beside its form. Always mounted, so that a screen reader announces each change. */
export function ResultLine({ busy, error, text }: ResultLineProps) {
  const result = error ? `✕ Not done: ${error.message}` : text && `✓ ${text}`;
  return (
    <p role="status" className={`result ${error ? 'bad' : ''}`}>
      {busy ? 'Working…' : result}
    </p>
  );
}
