/** Shows the result of an action beside its form. Always mounted, so that a screen reader announces each change. */
export function ResultLine({
  busy,
  error,
  text,
}: {
  busy: boolean;
  error: Error | null;
  /** What was done. */
  text?: string | undefined;
}) {
  return (
    <p role="status" className={`result ${error ? 'bad' : ''}`}>
      {resultOf(busy, error, text)}
    </p>
  );
}

function resultOf(busy: boolean, error: Error | null, text: string | undefined): string {
  if (busy) return 'Working…';
  if (error) return `✕ Not done: ${error.message}`;
  return text ? `✓ ${text}` : '';
}
