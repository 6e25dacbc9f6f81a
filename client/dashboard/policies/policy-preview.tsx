import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { docsSection } from '#client/dashboard/elements/explanations.ts';
import { age } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metrics.tsx';
import type { CachePolicy } from '#shared/models/metrics.ts';
import type { Candidate, Comparison } from '#shared/models/ops/ops-api-types.ts';
import { changesOf, FIELD_LABELS } from './policy-fields.ts';
import { SIMULATED, SIMULATED_TTLS, simulatedFrom } from './simulated-metrics.ts';

/** Returns what a policy would change, in sentences. */
export function effectsOf(now: CachePolicy, then: CachePolicy): string[] {
  const { ttl, swr, sie } = then;
  return [
    ...changesOf(now, then).map((field) => `${FIELD_LABELS[field]} ${age(now[field])} → ${age(then[field])}`),
    'It applies at once, also to what is cached, and survives a restart.',
    `Data that is read often is refreshed after ${age(ttl)}. The first read after a pause may get data of ${age(ttl + swr)}, and while the upstream is down, of ${age(ttl + swr + sie)}.`,
  ];
}

/** Shows the simulated effect of a policy beside that of the one in force. */
export function SimulatedEffects({ comparison }: { comparison: Comparison }) {
  const { requests, observedSeconds, a, b } = comparison;
  if (requests === 0) return <p className="warn">There are no recorded reads: the effect is not known.</p>;
  const { numbers } = docsSection(SIMULATED_TTLS);
  const columns: Column<Metric<Candidate>>[] = [
    { label: 'Effect', of: ({ label }) => label },
    { label: 'Now', of: ({ of }) => of(a.effect) },
    {
      label: 'Then',
      of: ({ of }) => of(b.effect),
      classOf: ({ of }) => (of(a.effect) === of(b.effect) ? '' : 'differs'),
    },
    { label: 'Meaning', isText: true, of: ({ label }) => numbers.get(label)?.about },
  ];
  const changesCalls = changesOf(a.policy, b.policy).some((field) => field !== 'sie');
  return (
    <>
      <DataGrid
        label="For the recorded reads"
        columns={columns}
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
