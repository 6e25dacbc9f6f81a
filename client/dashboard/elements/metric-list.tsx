import { Explained } from './explained.tsx';
import type { Metric } from './metric.ts';

/** Lists metrics with their values; a `note` stands below a value. */
export function MetricList<T>({
  metrics,
  source,
  className,
}: {
  metrics: readonly (Metric<T> & { note?: (source: T) => string })[];
  source: T;
  className?: string;
}) {
  return (
    <dl className={className}>
      {metrics.map(({ label, about = '', metric, of, isAlarming, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Explained about={about} metric={metric} isAlarming={isAlarming?.(source)}>
              {of(source)}
            </Explained>
            {note && <span className="note">{note(source)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
