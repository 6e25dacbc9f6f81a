import { DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { docsSection } from '#client/dashboard/elements/explanations.ts';
import { age } from '#client/dashboard/elements/format.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';
import type { Comparison } from '#shared/models/ops/ops-api-types.ts';
import { changesOf, FIELD_LABELS } from './policy-fields.ts';
import { SIMULATED, SIMULATED_TTLS, simulatedFrom } from './simulated-metrics.ts';

/** Shows what a policy would change, and its simulated effect beside that of the one in force. `comparison`: or why there is none. */
export function PolicyPreview({
  now,
  then,
  comparison,
}: {
  now: CachePolicy;
  then: CachePolicy;
  comparison: Comparison | Error;
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
      <Effects comparison={comparison} changesCalls={changes.some((field) => field !== 'sie')} />
    </>
  );
}

function Effects({ comparison, changesCalls }: { comparison: Comparison | Error; changesCalls: boolean }) {
  if (comparison instanceof Error)
    return <p className="bad">The effect could not be simulated: {comparison.message}</p>;
  const { requests, observedSeconds, a, b } = comparison;
  if (requests === 0) return <p className="warn">There are no recorded reads: the effect is not known.</p>;
  const meanings = docsSection(SIMULATED_TTLS)?.numbers;
  return (
    <>
      <DataGrid
        label="For the recorded reads"
        columns={[
          { label: 'Effect', of: ({ label }) => label },
          { label: 'Now', of: ({ of }) => of(a.effect) },
          {
            label: 'Then',
            of: ({ of }) => of(b.effect),
            classOf: ({ of }) => (of(a.effect) === of(b.effect) ? '' : 'differs'),
          },
          { label: 'Meaning', isText: true, of: ({ label }) => meanings?.get(label)?.about },
        ]}
        rows={Object.values(SIMULATED)}
        keyOf={({ label }) => label}
      />
      <p className="about">
        {simulatedFrom(comparison)}
        {b.policy.ttl > observedSeconds && ' The TTL is longer than that, so that the result is untested.'}
        {!changesCalls && ' SIE is not simulated: it acts during outages alone.'}
      </p>
    </>
  );
}
