import { modeWords } from '#client/dashboard/mode-labels.ts';
import type { Connection } from './metrics-stream.ts';
import type { Live } from './use-live-metrics.ts';

const WORDS: Record<Connection, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'No line to the site: trying again',
};

/** Whether the figures are of now, and what is out of the ordinary. Announced when it changes, and only then. */
export function StatusStrip({ live: { connection, figures } }: { live: Live }) {
  const unusual = figures !== null && figures.mode.endsInSeconds !== null;
  const open = figures !== null && figures.breaker !== 'closed';
  return (
    <div className="status" role="status">
      <span className={`light ${connection}`}>{WORDS[connection]}</span>
      {unusual && <span className="visually-hidden">{modeWords(figures.mode)}</span>}
      {open && <span className="light lost">Breaker {figures.breaker}: the upstream is left alone</span>}
    </div>
  );
}
