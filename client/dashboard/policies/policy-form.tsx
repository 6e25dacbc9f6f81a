import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { OpsApi } from '#client/dashboard/api/ops-api.ts';
import type { Simulation } from '#client/dashboard/api/ops-responses.ts';
import { age } from '#client/dashboard/elements/format.ts';
import { NumberField } from '#client/dashboard/elements/number-field.tsx';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { Ages, LiveResource } from '#shared/models/metrics.ts';
import { AGES, changesOf } from './policy-fields.ts';
import { PolicyPreview } from './policy-preview.tsx';
import { TtlSimulation } from './ttl-simulation.tsx';

const LONGEST = 31_536_000;

/** What is about to be done, and what it would do. */
interface Proposal {
  kind: 'set' | 'reset';
  ages: Ages;
  /** Null where it could not be had: the reason is in `why`. */
  simulation: Simulation | null;
  why: string;
}

/** Changes the ages of a resource in two steps: what it would do, then doing it. */
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
  /** Ttl, swr and sie as far as the address proposes some. */
  proposed: readonly string[];
  /** How they stand. */
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
  const asked = useRef(0);
  const ages = { ttl: Number(typed.ttl), swr: Number(typed.swr), sie: Number(typed.sie) };
  const same = changesOf(policy, ages).length === 0;

  function type(field: keyof Ages): (value: string) => void {
    return (value) => {
      asked.current++;
      setTyped((before) => ({ ...before, [field]: value }));
      setProposal(null);
      action.clear();
    };
  }

  function fillIn(ttl: number): void {
    type('ttl')(String(ttl));
    void action.run(async () => `A ttl of ${age(ttl)} is filled in. Nothing has changed yet.`);
  }

  async function propose(kind: Proposal['kind'], wanted: Ages): Promise<void> {
    action.clear();
    if (kind === 'set' && same) return action.run(async () => 'These ages are in force already.');
    const turn = ++asked.current;
    setSimulating(true);
    const { simulation, why } = await simulated(api, name, wanted);
    setSimulating(false);
    // What was typed meanwhile is not what was asked about.
    if (turn === asked.current) setProposal({ kind, ages: wanted, simulation, why });
  }

  function close(): void {
    setProposal(null);
    preview.current?.focus();
  }

  function confirm({ kind, ages: wanted }: Proposal): void {
    void action.run(async () => {
      const changes = changesOf(policy, wanted).map((field) => [field, wanted[field]]);
      const after = await (kind === 'reset'
        ? api.resetAges(name)
        : api.changeAges(name, Object.fromEntries(changes)));
      setTyped({ ttl: String(after.ttl), swr: String(after.swr), sie: String(after.sie) });
      close();
      const kept = after.persisted
        ? 'It outlives a restart.'
        : 'The disk refused it, so that a restart undoes it.';
      return `${name}: ttl ${age(after.ttl)}, swr ${age(after.swr)}, sie ${age(after.sie)} from now on. ${kept}`;
    });
  }

  return (
    <div className="controls">
      <form
        className="fields"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void propose('set', ages);
        }}
      >
        {children}
        <h3>Change them</h3>
        {AGES.map((field) => (
          <NumberField
            key={field}
            label={`${field}, seconds`}
            value={typed[field]}
            onChange={type(field)}
            about={Number.isFinite(ages[field]) ? age(ages[field]) : ''}
            max={LONGEST}
          />
        ))}
        <div className="buttons">
          <button type="submit" ref={preview} className="primary">
            Show what it would do
          </button>
          {changed && (
            <button type="button" onClick={() => void propose('reset', configured)}>
              Show what the configured ages would do
            </button>
          )}
        </div>
        <p className="about">Nothing changes until you have seen the effect and confirmed it.</p>
      </form>
      <div className="outcome">
        <ResultLine result={action.result} busy={action.busy || simulating} />
        {proposal && (
          <PolicyPreview
            name={name}
            now={policy}
            {...proposal}
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

async function simulated(
  api: OpsApi,
  name: string,
  { ttl, swr }: Ages,
): Promise<Pick<Proposal, 'simulation' | 'why'>> {
  try {
    return { simulation: await api.simulate(name, [ttl], swr), why: '' };
  } catch (error) {
    return { simulation: null, why: error instanceof Error ? error.message : String(error) };
  }
}
