import { age } from '#client/dashboard/elements/format.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';
import type { Simulation } from '#shared/models/ops/ops-api-types.ts';
import { PolicyComparison } from './policy-comparison.tsx';
import { changesOf, FIELD_LABELS } from './policy-fields.ts';
import { simulatedFrom } from './simulated-metrics.ts';

/** Shows what a policy would change, and its simulated effect. `simulation`: or why there is none. */
export function PolicyPreview({
  now,
  then,
  simulation,
}: {
  now: CachePolicy;
  then: CachePolicy;
  simulation: Simulation | Error;
}) {
  const changes = changesOf(now, then);
  return (
    <>
      <ul className="plain">
        {changes.map((field) => (
          <li key={field}>
            <b>{FIELD_LABELS[field]}</b> {age(now[field])} → {age(then[field])}
          </li>
        ))}
        <li>It applies at once, also to what is cached, and survives a restart.</li>
        <li>
          Data that is read often is refreshed after {age(then.ttl)}. The first read after a pause may get
          data of {age(then.ttl + then.swr)}, and while the upstream is down, of{' '}
          {age(then.ttl + then.swr + then.sie)}.
        </li>
      </ul>
      <Simulated simulation={simulation} changesCalls={changes.some((field) => field !== 'sie')} />
    </>
  );
}

function Simulated({ simulation, changesCalls }: { simulation: Simulation | Error; changesCalls: boolean }) {
  if (simulation instanceof Error)
    return <p className="bad">The effect could not be simulated: {simulation.message}</p>;
  const [candidate] = simulation.candidates;
  if (!candidate || candidate.hitRatio === null)
    return <p className="warn">There are no recorded reads: the effect is not known.</p>;
  return (
    <>
      <PolicyComparison
        label="For the recorded reads"
        sides={[
          { label: 'Now', effect: simulation.current },
          { label: 'Then', effect: candidate },
        ]}
      />
      <p className="about">
        {simulatedFrom(simulation)}
        {candidate.ttl > simulation.observedSeconds &&
          ' The TTL is longer than that, so that the result is untested.'}
        {!changesCalls && ' SIE is not simulated: it acts during outages alone.'}
      </p>
    </>
  );
}
