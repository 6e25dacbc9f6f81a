import { type FormEvent, useRef, useState } from 'react';
import type { ModeChange } from '#client/dashboard/api/ops-responses.ts';
import { Confirmation } from '#client/dashboard/elements/confirmation.tsx';
import { age, timeAfter } from '#client/dashboard/elements/format.ts';
import { NumberField } from '#client/dashboard/elements/number-field.tsx';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/layout.tsx';
import { modeLabels } from '#client/dashboard/mode-labels.ts';

type Switch = 'freeze' | 'stretch' | 'bypass';

const SWITCHES: Record<Switch, { title: string; does: string; wants: string; minutes: string }> = {
  freeze: {
    title: 'Freeze',
    does: 'No data is asked for at all. What is cached is served at any age; what is not is a 503, or a block left out.',
    wants: 'For a migration of the upstream, or wrong answers from it that look right.',
    minutes: '60',
  },
  stretch: {
    title: 'Stretch',
    does: 'Every ttl is multiplied, also of what is cached.',
    wants: 'For an upstream that is up but overloaded.',
    minutes: '60',
  },
  bypass: {
    title: 'Bypass',
    does: 'Every page asks the upstream for its data; only what fails falls back to a copy. The upstream loses its protection.',
    wants: 'For finding out whether the cache or the upstream is to blame. Seconds, not hours.',
    minutes: '1',
  },
};

const LONGEST_MINUTES = 1_440;

/** The emergency switches. Each ends by itself. */
export function OverridesView({ api, live: { metrics } }: ViewProps) {
  const [chosen, setChosen] = useState<Switch>('freeze');
  const [minutes, setMinutes] = useState(SWITCHES.freeze.minutes);
  const [factor, setFactor] = useState('10');
  const [proposed, setProposed] = useState<ModeChange | null>(null);
  const action = useAction();
  const review = useRef<HTMLButtonElement>(null);
  const forSeconds = Math.round(Number(minutes) * 60);

  function choose(name: Switch): void {
    setChosen(name);
    setMinutes(SWITCHES[name].minutes);
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
      return `${modeLabels({ mode, ttlFactor })}. It ends by itself at ${timeAfter(new Date(), endsInSeconds ?? 0)}.`;
    });
  }

  return (
    <>
      <p>
        In force: <strong>{metrics === null ? '…' : modeLabels(metrics.mode)}</strong>. Setting one replaces
        the one before it. View counts and forms are not affected.
      </p>
      <div className="controls">
        <form className="fields" onSubmit={propose}>
          <fieldset className="switches">
            <legend>Switch</legend>
            {(['freeze', 'stretch', 'bypass'] as const).map((name) => (
              <label key={name} className="choice">
                <input type="radio" name="switch" checked={chosen === name} onChange={() => choose(name)} />
                <span>
                  <b>{SWITCHES[name].title}.</b> {SWITCHES[name].does} <i>{SWITCHES[name].wants}</i>
                </span>
              </label>
            ))}
          </fieldset>
          {chosen === 'stretch' && (
            <NumberField
              label="Times"
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
            max={LONGEST_MINUTES}
          />
          <div className="buttons">
            <button type="submit" ref={review} className="primary">
              Show what it would do
            </button>
          </div>
        </form>
        <div className="outcome">
          <ResultLine {...action} />
          {proposed && (
            <Confirmation
              title={`${SWITCHES[chosen].title} the cache?`}
              action={`${SWITCHES[chosen].title} for ${age(forSeconds)}`}
              onConfirm={() => set(proposed)}
              onCancel={close}
            >
              <ul className="plain">
                <li>{SWITCHES[chosen].does}</li>
                {proposed.ttlFactor !== undefined && (
                  <li>A ttl of 1 min becomes {age(60 * proposed.ttlFactor)}.</li>
                )}
                <li>
                  It holds from now until {timeAfter(new Date(), forSeconds)}, or until somebody ends it, or a
                  restart.
                </li>
              </ul>
            </Confirmation>
          )}
        </div>
      </div>
    </>
  );
}
