import { modeLabels } from '#client/dashboard/mode-labels.ts';
import type { Connection } from './metrics-stream.ts';
import type { Live } from './use-live-metrics.ts';

const WORDS: Record<Connection, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'No line to the site: trying again',
};

/** Whether the figures are of now, and what is out of the ordinary. Announced when it changes, and only then. */
export function StatusStrip({ live: { connection, metrics } }: { live: Live }) {
  const unusual = metrics !== null && metrics.mode.endsInSeconds !== null;
  const open = metrics !== null && metrics.breaker !== 'closed';
  return (
    <div className="status" role="status">
      <span className={`light ${connection}`}>{WORDS[connection]}</span>
      {unusual && <span className="visually-hidden">{modeLabels(metrics.mode)}</span>}
      {open && <span className="light lost">Breaker {metrics.breaker}: the upstream is left alone</span>}
    </div>
  );
}
