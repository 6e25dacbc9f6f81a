import { type ReactNode, useState } from 'react';
import { appliedBy } from '#client/dashboard/applied-by.ts';
import { age } from '#client/dashboard/elements/format.ts';
import { ChangeForm, type Proposal } from '#client/dashboard/forms/change-form.tsx';
import { NumberField } from '#client/dashboard/forms/number-field.tsx';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { CachePolicy, LiveResource } from '#shared/models/metrics.ts';
import { AdviceCurve } from './advice-curve.tsx';
import { changesOf, FIELD_LABELS, MAX_SECONDS, POLICY_FIELDS } from './policy-fields.ts';
import { PolicyPreview } from './policy-preview.tsx';

/** Changes the policy of a resource in two steps: preview the effect, then confirm. */
export function PolicyForm({
  name,
  resource: { policy, configured, changed },
  proposed,
  children,
}: {
  name: string;
  resource: LiveResource;
  /** What the address proposes. */
  proposed: { readonly [field in keyof CachePolicy]?: string | undefined };
  /** The policy in force. */
  children: ReactNode;
}) {
  const ops = useOps();
  const [typed, setTyped] = useState(() => ({
    ttl: wholeOr(proposed.ttl, policy.ttl),
    swr: wholeOr(proposed.swr, policy.swr),
    sie: wholeOr(proposed.sie, policy.sie),
  }));
  const [filledIn, setFilledIn] = useState<number | null>(null);
  const wanted = { ttl: Number(typed.ttl), swr: Number(typed.swr), sie: Number(typed.sie) };

  function type(field: keyof CachePolicy, value: string): void {
    setTyped((before) => ({ ...before, [field]: value }));
    setFilledIn(null);
  }

  async function set(next: CachePolicy): Promise<Proposal> {
    const changes = changesOf(policy, next);
    if (changes.length === 0) throw new Error('This policy is in force already.');
    const change = Object.fromEntries(changes.map((field) => [field, next[field]]));
    return {
      title: `Change the policy of ${name}?`,
      action: 'Set this policy',
      preview: await previewOf(next),
      commit: () => apply(ops.changePolicy(name, change)),
    };
  }

  async function reset(): Promise<Proposal> {
    return {
      title: `Reset the policy of ${name}?`,
      action: 'Reset to the configured policy',
      preview: await previewOf(configured),
      commit: () => apply(ops.resetPolicy(name)),
    };
  }

  async function previewOf(next: CachePolicy): Promise<ReactNode> {
    const comparison = await ops
      .compare(name, policy, next)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    return <PolicyPreview now={policy} then={next} comparison={comparison} />;
  }

  async function apply(change: ReturnType<typeof ops.changePolicy>): Promise<string> {
    const { ttl, swr, sie, persisted, instances } = await change;
    setTyped({ ttl: String(ttl), swr: String(swr), sie: String(sie) });
    setFilledIn(null);
    const kept = persisted
      ? 'It survives a restart.'
      : 'It could not be written to disk: a restart undoes it.';
    return `${name}: TTL ${age(ttl)}, SWR ${age(swr)}, SIE ${age(sie)} from now on. ${kept}${appliedBy(instances)}`;
  }

  return (
    <ChangeForm
      propose={() => set(wanted)}
      alternative={changed ? { label: 'Preview the configured policy', propose: reset } : undefined}
      note={
        filledIn === null ? undefined : `A TTL of ${age(filledIn)} is filled in. Nothing has changed yet.`
      }
      rest={
        <AdviceCurve
          name={name}
          policy={policy}
          onTry={(ttl) => {
            type('ttl', String(ttl));
            setFilledIn(ttl);
          }}
        />
      }
    >
      {children}
      <h3>Change the policy</h3>
      {POLICY_FIELDS.map((field) => (
        <NumberField
          key={field}
          label={`${FIELD_LABELS[field]}, seconds`}
          value={typed[field]}
          onChange={(value) => type(field, value)}
          about={Number.isFinite(wanted[field]) ? age(wanted[field]) : ''}
          max={MAX_SECONDS}
        />
      ))}
    </ChangeForm>
  );
}

function wholeOr(proposed: string | undefined, inForce: number): string {
  return proposed !== undefined && /^\d+$/.test(proposed) ? proposed : String(inForce);
}
