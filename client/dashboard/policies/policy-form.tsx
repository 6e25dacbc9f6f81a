import { useState } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { appliedBy } from '#client/dashboard/applied-by.ts';
import { age } from '#client/dashboard/elements/format.ts';
import { ActionForm, type Outcome } from '#client/dashboard/forms/action-form.tsx';
import { NumberField } from '#client/dashboard/forms/fields.tsx';
import type { CachePolicy, LiveResource } from '#shared/models/metrics.ts';
import type { ChangedPolicy } from '#shared/models/ops/ops-api-types.ts';
import { AdviceCurve } from './advice-curve.tsx';
import { changesOf, FIELD_LABELS, MAX_SECONDS, mapFields, POLICY_FIELDS } from './policy-fields.ts';
import { PolicyInForce } from './policy-in-force.tsx';
import { effectsOf, SimulatedEffects } from './policy-preview.tsx';

interface PolicyFormProps {
  name: string;
  resource: LiveResource;
  /** What the address proposes. */
  proposed: { readonly [field in keyof CachePolicy]?: string | undefined };
}

/** Changes the policy of a resource in two steps: preview the effect, then confirm. */
export function PolicyForm({ name, resource, proposed }: PolicyFormProps) {
  const { policy, configured, changed } = resource;
  const [typed, setTyped] = useState(() => mapFields((field) => wholeOr(proposed[field], policy[field])));
  const [filledIn, setFilledIn] = useState<number | null>(null);

  function type(values: Partial<typeof typed>, ttl: number | null = null): void {
    setTyped((before) => ({ ...before, ...values }));
    setFilledIn(ttl);
  }

  function set(): Promise<Outcome> {
    const wanted = mapFields((field) => Number(typed[field]));
    const changes = changesOf(policy, wanted);
    if (changes.length === 0) throw new Error('This policy is in force already.');
    const change = Object.fromEntries(changes.map((field) => [field, wanted[field]]));
    return preview('Change', 'Set this policy', wanted, () => ops.changePolicy(name, change));
  }

  function reset(): Promise<Outcome> {
    return preview('Reset', 'Reset to the configured policy', configured, () => ops.resetPolicy(name));
  }

  async function preview(
    verb: string,
    action: string,
    next: CachePolicy,
    apply: () => Promise<ChangedPolicy>,
  ): Promise<Outcome> {
    return {
      change: {
        title: `${verb} the policy of ${name}?`,
        action,
        effects: effectsOf(policy, next),
        commit: async () => {
          const applied = await apply();
          type(mapFields((field) => String(applied[field])));
          return appliedText(name, applied);
        },
      },
      content: await ops.compare(name, policy, next).then(
        (comparison) => <SimulatedEffects comparison={comparison} />,
        ({ message }: Error) => <p className="bad">The effect could not be simulated: {message}</p>,
      ),
    };
  }

  return (
    <ActionForm
      submit={set}
      alternative={changed ? { action: 'Preview the configured policy', submit: reset } : undefined}
      note={
        filledIn === null ? undefined : `A TTL of ${age(filledIn)} is filled in. Nothing has changed yet.`
      }
      rest={<AdviceCurve name={name} policy={policy} onTry={(ttl) => type({ ttl: String(ttl) }, ttl)} />}
    >
      <PolicyInForce resource={resource} />
      <h3>Change the policy</h3>
      {POLICY_FIELDS.map((field) => (
        <NumberField
          key={field}
          label={`${FIELD_LABELS[field]}, seconds`}
          value={typed[field]}
          onChange={(value) => type({ [field]: value })}
          about={Number.isFinite(Number(typed[field])) ? age(Number(typed[field])) : ''}
          max={MAX_SECONDS}
        />
      ))}
    </ActionForm>
  );
}

function appliedText(name: string, { ttl, swr, sie, persisted, instances }: ChangedPolicy): string {
  const kept = persisted ? 'It survives a restart.' : 'It could not be written to disk: a restart undoes it.';
  return `${name}: TTL ${age(ttl)}, SWR ${age(swr)}, SIE ${age(sie)} from now on. ${kept}${appliedBy(instances)}`;
}

function wholeOr(proposed: string | undefined, inForce: number): string {
  return proposed !== undefined && /^\d+$/.test(proposed) ? proposed : String(inForce);
}
