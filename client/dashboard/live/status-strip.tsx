import { clockTime } from '#client/dashboard/elements/format.ts';
import { modeLabel } from '#client/dashboard/mode-label.ts';
import type { Live } from './metrics-stream.ts';
import { useLive } from './use-live.ts';

const CONNECTIONS: Record<Live['connection'], string> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost: reconnecting',
};

/** Shows the time of the metrics and what is not normal. The status is announced when it changes, the time is not. */
export function StatusStrip() {
  const { connection, metrics } = useLive((live) => live);
  const hasMode = metrics !== null && metrics.mode.endsInSeconds !== null;
  const isOpen = metrics !== null && metrics.circuitBreaker !== 'closed';
  return (
    <div className="status-strip">
      <div className="status" role="status">
        <span className={`light ${connection}`}>{CONNECTIONS[connection]}</span>
        {hasMode && <span className="visually-hidden">{modeLabel(metrics.mode)}</span>}
        {isOpen && <span className="light lost">Circuit breaker {metrics.circuitBreaker}</span>}
      </div>
      {metrics && <time dateTime={metrics.at}>{clockTime(new Date(metrics.at))}</time>}
    </div>
  );
}
