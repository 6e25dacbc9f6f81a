import { Explained } from './explained.tsx';
import type { Metric } from './metric.ts';

/** Lists metrics with their values. */
export function MetricList<T>({ metrics, source }: { metrics: readonly Metric<T>[]; source: T }) {
  return (
    <dl className="facts">
      {metrics.map(({ label, of, isAlarming, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Explained label={label} isAlarming={isAlarming?.(source)}>
              {of(source)}
            </Explained>
            {note && <span className="note">{note(source)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
