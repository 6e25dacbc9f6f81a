import { Link } from 'react-router';
import { docsSection } from './explanations.ts';

/** Returns the address of the documentation of a metric, by its Prometheus name. */
export function docsOfMetric(metric: string): string {
  return `/docs/metrics-and-alerts/${metric}`;
}

/** Shows the Prometheus names of a panel's metrics, and links to its section of the docs. `labelledBy`: the panel's heading. */
export function MetricLinks({ section, labelledBy }: { section: string; labelledBy: string }) {
  const { metrics, address } = docsSection(section) ?? { metrics: [], address: '/docs/dashboard' };
  return (
    <p className="metric-names">
      {metrics.map((metric) => (
        <Link key={metric} to={docsOfMetric(metric)}>
          <code>{metric}</code>
        </Link>
      ))}
      <Link to={address} aria-describedby={labelledBy}>
        Docs
      </Link>
    </p>
  );
}
