import { Explained } from '#client/dashboard/elements/explained.tsx';
import { count, duration, percent } from '#client/dashboard/elements/format.ts';
import { MetricNames } from '#client/dashboard/elements/metric-names.tsx';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { UpstreamOperation } from '#shared/models/metrics.ts';

const METRICS = ['upstream_requests_total', 'upstream_request_duration_seconds'];

/** Lists the upstream's operations of the last minute: is it us or the upstream? */
export function UpstreamOperations({ operations }: { operations: readonly UpstreamOperation[] }) {
  return (
    <section aria-labelledby="operations-title">
      <h2 id="operations-title">Upstream by operation</h2>
      <p className="about">
        Of the last minute: most failures first, then the slowest.
        {operations.length === 0 && ' There were no upstream requests.'}
      </p>
      <MetricNames names={METRICS} />
      {operations.length > 0 && (
        <table className="numbers" aria-labelledby="operations-title">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">
                <Explained name="operationRequests">Requests/min</Explained>
              </th>
              <th scope="col">
                <Explained name="operationErrors">Error rate</Explained>
              </th>
              <th scope="col">
                <Explained name="operationLatency">p95</Explained>
              </th>
            </tr>
          </thead>
          <tbody>
            {operations.map(({ operation, requestsPerMinute, errorRatio, p95Seconds }) => (
              <tr key={operation}>
                <th scope="row">{operation}</th>
                <td data-explains="operationRequests">{count(requestsPerMinute)}</td>
                <td data-explains="operationErrors">
                  <span className={isAlarming('upstreamErrorRatio', errorRatio) ? 'alarming' : ''}>
                    {percent(errorRatio)}
                  </span>
                </td>
                <td data-explains="operationLatency">{duration(p95Seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
