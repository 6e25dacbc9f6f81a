import { Link } from 'react-router';

/** Returns the address of the documentation of a metric, by its Prometheus name. */
export function docsOfMetric(metric: string): string {
  return `/docs/metrics-and-alerts/${metric}`;
}

/** Shows the Prometheus names of a panel's metrics, and links to its documentation. `labelledBy`: the panel's heading. */
export function MetricLinks({
  metrics,
  docs,
  labelledBy,
}: {
  metrics: readonly string[];
  /** A page of `docs/operating/`, without its ending. */
  docs: string;
  labelledBy: string;
}) {
  return (
    <p className="metric-names">
      {metrics.map((metric) => (
        <Link key={metric} to={docsOfMetric(metric)}>
          <code>{metric}</code>
        </Link>
      ))}
      <Link to={`/docs/${docs}`} aria-describedby={labelledBy}>
        Docs
      </Link>
    </p>
  );
}
