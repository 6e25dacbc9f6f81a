import { useState } from 'react';
import { appliedBy } from '#client/dashboard/applied-by.ts';
import { age, timeAfter } from '#client/dashboard/elements/format.ts';
import { ChangeForm, type Proposal } from '#client/dashboard/forms/change-form.tsx';
import { Choice } from '#client/dashboard/forms/choice.tsx';
import { NumberField } from '#client/dashboard/forms/number-field.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { modeLabel } from '#client/dashboard/mode-label.ts';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { ModeChange } from '#shared/models/ops/ops-api-types.ts';

type Override = 'freeze' | 'stretch' | 'bypass';

const OVERRIDES: Record<Override, { title: string; does: string; use: string; minutes: string }> = {
  freeze: {
    title: 'Freeze',
    does: 'No upstream requests. Cached data is served at any age; a page whose data is not cached is a 503, an optional section is left out.',
    use: 'For a migration of the upstream, or wrong data from it.',
    minutes: '60',
  },
  stretch: {
    title: 'Stretch',
    does: 'Multiplies every TTL, also of what is cached.',
    use: 'For an upstream that is up but overloaded.',
    minutes: '60',
  },
  bypass: {
    title: 'Bypass',
    does: 'Every page loads its data from the upstream; only what fails is served from the cache. The upstream loses its protection.',
    use: 'For finding out whether the cache or the upstream is to blame. Seconds, not hours.',
    minutes: '1',
  },
};

const MAX_MINUTES = 1_440;

const CHOICES = { freeze: label('freeze'), stretch: label('stretch'), bypass: label('bypass') };

function label(override: Override) {
  const { title, does, use } = OVERRIDES[override];
  return (
    <>
      <b>{title}.</b> {does} <i>{use}</i>
    </>
  );
}

/** Sets emergency modes of the cache in two steps: preview, then confirm. Each ends by itself. */
export function Component() {
  const { metrics } = useLive();
  const ops = useOps();
  const [chosen, setChosen] = useState<Override>('freeze');
  const [minutes, setMinutes] = useState(OVERRIDES.freeze.minutes);
  const [factor, setFactor] = useState('10');
  const forSeconds = Math.round(Number(minutes) * 60);

  function choose(override: Override): void {
    setChosen(override);
    setMinutes(OVERRIDES[override].minutes);
  }

  function propose(): Proposal {
    const { title, does } = OVERRIDES[chosen];
    const ttlFactor = Number(factor);
    const change: ModeChange =
      chosen === 'stretch' ? { mode: 'normal', ttlFactor, forSeconds } : { mode: chosen, forSeconds };
    return {
      title: `${title} the cache?`,
      action: `${title} for ${age(forSeconds)}`,
      preview: (
        <ul className="plain">
          <li>{does}</li>
          {chosen === 'stretch' && <li>A TTL of 1 min becomes {age(60 * ttlFactor)}.</li>}
          <li>
            It applies from now until {timeAfter(new Date(), forSeconds)}, until somebody ends it, or until a
            restart.
          </li>
        </ul>
      ),
      commit: async () => {
        const inForce = await ops.changeMode(change);
        return `${modeLabel(inForce)}. It ends by itself at ${timeAfter(new Date(), inForce.endsInSeconds ?? 0)}.${appliedBy(inForce.instances)}`;
      },
    };
  }

  return (
    <>
      <p>
        In force: <strong>{metrics === null ? '…' : modeLabel(metrics.mode)}</strong>. A new one replaces it.
        View counts and forms are not affected.
      </p>
      <ChangeForm propose={propose}>
        <Choice legend="Override" options={CHOICES} value={chosen} onChange={choose} />
        {chosen === 'stretch' && (
          <NumberField
            label="TTL factor"
            value={factor}
            onChange={setFactor}
            about="0.1 to 1000"
            min={0.1}
            max={1_000}
            step={0.1}
          />
        )}
        <NumberField
          label="Minutes"
          value={minutes}
          onChange={setMinutes}
          about={`Ends by itself at ${timeAfter(new Date(), forSeconds)}`}
          min={1}
          max={MAX_MINUTES}
        />
      </ChangeForm>
    </>
  );
}
