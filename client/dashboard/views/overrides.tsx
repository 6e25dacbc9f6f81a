import { useState } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { appliedBy } from '#client/dashboard/applied-by.ts';
import { age, timeAfter } from '#client/dashboard/elements/format.ts';
import { ActionForm, type Outcome } from '#client/dashboard/forms/action-form.tsx';
import { Choice, NumberField } from '#client/dashboard/forms/fields.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { modeLabel } from '#client/dashboard/mode-label.ts';

const OVERRIDES = {
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

type Override = keyof typeof OVERRIDES;

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
  const inForce = useLive(({ metrics }) => metrics?.mode);
  const [chosen, setChosen] = useState<Override>('freeze');
  const [minutes, setMinutes] = useState(OVERRIDES.freeze.minutes);
  const [factor, setFactor] = useState('10');
  const isStretch = chosen === 'stretch';
  const forSeconds = Math.round(Number(minutes) * 60);

  function choose(override: Override): void {
    setChosen(override);
    setMinutes(OVERRIDES[override].minutes);
  }

  function propose(): Outcome {
    const { title, does } = OVERRIDES[chosen];
    const ttlFactor = Number(factor);
    return {
      change: {
        title: `${title} the cache?`,
        action: `${title} for ${age(forSeconds)}`,
        effects: [
          does,
          ...(isStretch ? [`A TTL of 1 min becomes ${age(60 * ttlFactor)}.`] : []),
          `It applies from now until ${timeAfter(new Date(), forSeconds)}, until somebody ends it, or until a restart.`,
        ],
        commit: async () => {
          const mode = await ops.changeMode(
            isStretch ? { mode: 'normal', ttlFactor, forSeconds } : { mode: chosen, forSeconds },
          );
          return `${modeLabel(mode)}. It ends by itself at ${timeAfter(new Date(), mode.endsInSeconds ?? 0)}.${appliedBy(mode.instances)}`;
        },
      },
    };
  }

  return (
    <>
      <p>
        In force: <strong>{inForce ? modeLabel(inForce) : '…'}</strong>. A new one replaces it. View counts
        and forms are not affected.
      </p>
      <ActionForm submit={propose}>
        <Choice legend="Override" options={CHOICES} value={chosen} onChange={choose} />
        {isStretch && (
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
      </ActionForm>
    </>
  );
}
