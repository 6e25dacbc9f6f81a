import type { Simulation } from '#client/dashboard/api/ops-responses.ts';
import { Confirmation } from '#client/dashboard/elements/confirmation.tsx';
import { age, count, percent } from '#client/dashboard/elements/format.ts';
import type { Ages } from '#shared/models/metrics.ts';
import { PolicyComparison } from './policy-comparison.tsx';
import { changesOf } from './policy-fields.ts';

/** What new ages would do, from what readers did lately, and the button that sets them. */
export function PolicyPreview({
  name,
  kind,
  now,
  ages,
  simulation,
  why,
  onConfirm,
  onCancel,
}: {
  name: string;
  kind: 'set' | 'reset';
  now: Ages;
  ages: Ages;
  simulation: Simulation | null;
  /** Why there is no simulation. */
  why: string;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const changes = changesOf(now, ages);
  return (
    <Confirmation
      title={kind === 'reset' ? `Return ${name} to the configured ages?` : `Change the ages of ${name}?`}
      action={kind === 'reset' ? 'Return to the configured ages' : 'Set these ages'}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <ul className="plain">
        {changes.map((field) => (
          <li key={field}>
            <b>{field}</b> {age(now[field])} → {age(ages[field])}
          </li>
        ))}
        <li>It holds at once, also for what is cached, and outlives a restart.</li>
        <li>
          If all is well, a copy is refreshed after {age(ages.ttl)}; after a quiet time the first reader may
          get one of {age(ages.ttl + ages.swr)}; while the upstream is down, one of{' '}
          {age(ages.ttl + ages.swr + ages.sie)}.
        </li>
      </ul>
      <Simulated simulation={simulation} why={why} changesCalls={changes.some((field) => field !== 'sie')} />
    </Confirmation>
  );
}

function Simulated({
  simulation,
  why,
  changesCalls,
}: {
  simulation: Simulation | null;
  why: string;
  changesCalls: boolean;
}) {
  if (simulation === null) return <p className="bad">The effect could not be reckoned: {why}</p>;
  const [then] = simulation.candidates;
  if (!then || then.hitRatio === null)
    return <p className="warn">Nobody has read it yet, so that its effect is not known.</p>;
  return (
    <>
      <PolicyComparison now={simulation.current} then={then} />
      <p className="about">
        Replayed from {count(simulation.requests)} reads of the last{' '}
        {age(Math.round(simulation.observedSeconds))}
        {simulation.sampleRate < 1 &&
          `: the busiest keys, and ${percent(simulation.sampleRate)} of the others`}
        .
        {then.ttl > simulation.observedSeconds &&
          ' The ttl is longer than that: it has not been put to the test.'}
        {!changesCalls && ' What sie does is not simulated: nobody knows how long the next outage is.'}
      </p>
    </>
  );
}
