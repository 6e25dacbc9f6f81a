import { type FormEvent, useRef, useState } from 'react';
import type { ModeChange } from '#client/dashboard/api/ops-responses.ts';
import { Confirmation } from '#client/dashboard/elements/confirmation.tsx';
import { age, timeAfter } from '#client/dashboard/elements/format.ts';
import { NumberField } from '#client/dashboard/elements/number-field.tsx';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import { modeLabel } from '#client/dashboard/mode-label.ts';
import type { ViewProps } from '#client/dashboard/use-view.ts';

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

/** Sets emergency modes of the cache in two steps: preview, then confirm. Each ends by itself. */
export function OverridesView({ api, live: { metrics } }: ViewProps) {
  const [chosen, setChosen] = useState<Override>('freeze');
  const [minutes, setMinutes] = useState(OVERRIDES.freeze.minutes);
  const [factor, setFactor] = useState('10');
  const [proposed, setProposed] = useState<ModeChange | null>(null);
  const action = useAction();
  const review = useRef<HTMLButtonElement>(null);
  const forSeconds = Math.round(Number(minutes) * 60);

  function choose(name: Override): void {
    setChosen(name);
    setMinutes(OVERRIDES[name].minutes);
    setProposed(null);
    action.clear();
  }

  function propose(event: FormEvent): void {
    event.preventDefault();
    action.clear();
    setProposed(
      chosen === 'stretch'
        ? { mode: 'normal', ttlFactor: Number(factor), forSeconds }
        : { mode: chosen, forSeconds },
    );
  }

  function close(): void {
    setProposed(null);
    review.current?.focus();
  }

  function set(change: ModeChange): void {
    void action.run(async () => {
      const { mode, ttlFactor, endsInSeconds } = await api.changeMode(change);
      close();
      return `${modeLabel({ mode, ttlFactor })}. It ends by itself at ${timeAfter(new Date(), endsInSeconds ?? 0)}.`;
    });
  }

  return (
    <>
      <p>
        In force: <strong>{metrics === null ? '…' : modeLabel(metrics.mode)}</strong>. A new one replaces it.
        View counts and forms are not affected.
      </p>
      <div className="controls">
        <form className="fields" onSubmit={propose}>
          <fieldset className="overrides">
            <legend>Override</legend>
            {(['freeze', 'stretch', 'bypass'] as const).map((name) => (
              <label key={name} className="choice">
                <input type="radio" name="override" checked={chosen === name} onChange={() => choose(name)} />
                <span>
                  <b>{OVERRIDES[name].title}.</b> {OVERRIDES[name].does} <i>{OVERRIDES[name].use}</i>
                </span>
              </label>
            ))}
          </fieldset>
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
          <div className="buttons">
            <button type="submit" ref={review} className="primary">
              Preview the effect
            </button>
          </div>
        </form>
        <div className="outcome">
          <ResultLine {...action} />
          {proposed && (
            <Confirmation
              title={`${OVERRIDES[chosen].title} the cache?`}
              action={`${OVERRIDES[chosen].title} for ${age(forSeconds)}`}
              onConfirm={() => set(proposed)}
              onCancel={close}
            >
              <ul className="plain">
                <li>{OVERRIDES[chosen].does}</li>
                {proposed.ttlFactor !== undefined && (
                  <li>A TTL of 1 min becomes {age(60 * proposed.ttlFactor)}.</li>
                )}
                <li>
                  It applies from now until {timeAfter(new Date(), forSeconds)}, until somebody ends it, or
                  until a restart.
                </li>
              </ul>
            </Confirmation>
          )}
        </div>
      </div>
    </>
  );
}
