import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { OpsApi } from '#client/dashboard/api/ops-api.ts';
import type { Simulation } from '#client/dashboard/api/ops-responses.ts';
import { age } from '#client/dashboard/elements/format.ts';
import { NumberField } from '#client/dashboard/elements/number-field.tsx';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { CachePolicy, LiveResource } from '#shared/models/metrics.ts';
import { changesOf, FIELD_LABELS, POLICY_FIELDS } from './policy-fields.ts';
import { PolicyPreview } from './policy-preview.tsx';
import { TtlSimulation } from './ttl-simulation.tsx';

const MAX_SECONDS = 31_536_000;

/** A change to confirm, and its simulated effect. */
interface Proposal {
  kind: 'set' | 'reset';
  policy: CachePolicy;
  /** Null where the simulation failed: the reason is in `why`. */
  simulation: Simulation | null;
  why: string;
}

/** Changes the policy of a resource in two steps: preview the effect, then confirm. */
export function PolicyForm({
  api,
  name,
  resource: { policy, configured, changed },
  proposed,
  children,
}: {
  api: OpsApi;
  name: string;
  resource: LiveResource;
  /** TTL, SWR and SIE, as far as the URL proposes them. */
  proposed: readonly string[];
  /** The policy in force. */
  children: ReactNode;
}) {
  const [typed, setTyped] = useState(() => ({
    ttl: wholeOr(proposed[0], policy.ttl),
    swr: wholeOr(proposed[1], policy.swr),
    sie: wholeOr(proposed[2], policy.sie),
  }));
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const [simulating, setSimulating] = useState(false);
  const action = useAction();
  const preview = useRef<HTMLButtonElement>(null);
  const edits = useRef(0);
  const wanted = { ttl: Number(typed.ttl), swr: Number(typed.swr), sie: Number(typed.sie) };
  const same = changesOf(policy, wanted).length === 0;

  function type(field: keyof CachePolicy): (value: string) => void {
    return (value) => {
      edits.current++;
      setTyped((before) => ({ ...before, [field]: value }));
      setProposal(null);
      action.clear();
    };
  }

  function fillIn(ttl: number): void {
    type('ttl')(String(ttl));
    void action.run(async () => `A TTL of ${age(ttl)} is filled in. Nothing has changed yet.`);
  }

  async function propose(kind: Proposal['kind'], next: CachePolicy): Promise<void> {
    action.clear();
    if (kind === 'set' && same) return action.run(async () => 'This policy is in force already.');
    const edit = ++edits.current;
    setSimulating(true);
    const { simulation, why } = await simulate(api, name, next);
    setSimulating(false);
    // The form may have been edited meanwhile.
    if (edit === edits.current) setProposal({ kind, policy: next, simulation, why });
  }

  function close(): void {
    setProposal(null);
    preview.current?.focus();
  }

  function confirm({ kind, policy: next }: Proposal): void {
    void action.run(async () => {
      const changes = changesOf(policy, next).map((field) => [field, next[field]]);
      const after = await (kind === 'reset'
        ? api.resetPolicy(name)
        : api.changePolicy(name, Object.fromEntries(changes)));
      setTyped({ ttl: String(after.ttl), swr: String(after.swr), sie: String(after.sie) });
      close();
      const kept = after.persisted
        ? 'It survives a restart.'
        : 'It could not be written to disk: a restart undoes it.';
      return `${name}: TTL ${age(after.ttl)}, SWR ${age(after.swr)}, SIE ${age(after.sie)} from now on. ${kept}`;
    });
  }

  return (
    <div className="controls">
      <form
        className="fields"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void propose('set', wanted);
        }}
      >
        {children}
        <h3>Change the policy</h3>
        {POLICY_FIELDS.map((field) => (
          <NumberField
            key={field}
            label={`${FIELD_LABELS[field]}, seconds`}
            value={typed[field]}
            onChange={type(field)}
            about={Number.isFinite(wanted[field]) ? age(wanted[field]) : ''}
            max={MAX_SECONDS}
          />
        ))}
        <div className="buttons">
          <button type="submit" ref={preview} className="primary">
            Preview the effect
          </button>
          {changed && (
            <button type="button" onClick={() => void propose('reset', configured)}>
              Preview the configured policy
            </button>
          )}
        </div>
        <p className="about">Nothing changes until you confirm the preview.</p>
      </form>
      <div className="outcome">
        <ResultLine result={action.result} busy={action.busy || simulating} />
        {proposal && (
          <PolicyPreview
            name={name}
            now={policy}
            then={proposal.policy}
            kind={proposal.kind}
            simulation={proposal.simulation}
            why={proposal.why}
            onConfirm={() => confirm(proposal)}
            onCancel={close}
          />
        )}
        {!proposal && <TtlSimulation api={api} name={name} policy={policy} onTry={fillIn} />}
      </div>
    </div>
  );
}

function wholeOr(proposed: string | undefined, inForce: number): string {
  return proposed !== undefined && /^\d+$/.test(proposed) ? proposed : String(inForce);
}

async function simulate(
  api: OpsApi,
  name: string,
  { ttl, swr }: CachePolicy,
): Promise<Pick<Proposal, 'simulation' | 'why'>> {
  try {
    return { simulation: await api.simulate(name, [ttl], swr), why: '' };
  } catch (error) {
    return { simulation: null, why: error instanceof Error ? error.message : String(error) };
  }
}
