/** Shows the Prometheus names of a panel's metrics; empty ones are left out. */
export function MetricNames({ names }: { names: readonly string[] }) {
  return (
    <p className="metric-names">
      {[...new Set(names)].filter(Boolean).map((name) => (
        <code key={name}>{name}</code>
      ))}
    </p>
  );
}
