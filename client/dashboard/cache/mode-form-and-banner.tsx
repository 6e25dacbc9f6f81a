import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { ChangeButton, Confirm, leaveFocusToView } from '#client/dashboard/elements/confirm.tsx';
import { Field, wholeNumber } from '#client/dashboard/elements/field.tsx';
import { age, modeLabel, timeAfter } from '#client/dashboard/elements/format.ts';
import { useLiveState } from '#client/dashboard/samples/use-samples.ts';

const MODES = {
  freeze:
    'Freeze: no upstream requests. Cached data is served at any age; a page whose data is not cached is a 503.',
  stretch:
    'Stretch: multiplies every TTL, also of what is cached. For an upstream that is up but overloaded.',
  bypass: 'Bypass: every page loads its data from the upstream. For finding out which of both is to blame.',
};
const MAX_MINUTES = 1_440;
const MAX_FACTOR = 1_000;

/** Sets the emergency modes of the cache. Each ends by itself. */
export function ModeForm() {
  const mode = useLiveState()?.mode;
  const [chosen, setChosen] = useState<keyof typeof MODES>('freeze');
  const [minutes, setMinutes] = useState('15');
  const [factor, setFactor] = useState('10');

  function wanted() {
    const forSeconds = wholeNumber('Minutes', minutes, 1, MAX_MINUTES) * 60;
    if (chosen !== 'stretch') return { mode: chosen, forSeconds };
    return {
      mode: 'normal' as const,
      ttlFactor: wholeNumber('The TTL factor', factor, 1, MAX_FACTOR),
      forSeconds,
    };
  }

  return (
    <section className="panel" aria-labelledby="modes-title">
      <h2 id="modes-title">Modes</h2>
      <p>
        In force: <strong>{mode ? modeLabel(mode) : '…'}</strong>. A new one replaces it. View counts and
        forms are not affected.
      </p>
      <fieldset>
        <legend className="visually-hidden">Mode</legend>
        {(['freeze', 'stretch', 'bypass'] as const).map((name) => (
          <label key={name} className="choice">
            <input type="radio" name="mode" checked={name === chosen} onChange={() => setChosen(name)} />
            {MODES[name]}
          </label>
        ))}
      </fieldset>
      <div className="fields">
        {chosen === 'stretch' && (
          <Field label="TTL factor" inputMode="numeric" value={factor} onChange={setFactor} />
        )}
        <Field
          label="Minutes"
          inputMode="numeric"
          value={minutes}
          onChange={setMinutes}
          about="It ends by itself."
        />
      </div>
      <Confirm
        label="Preview the mode"
        preview={() =>
          `${MODES[chosen]} Until ${timeAfter(new Date(), wanted().forSeconds)}, or until somebody ends it.`
        }
        action={`Set it for ${minutes} min`}
        commit={async () => {
          const set = await ops.changeMode(wanted());
          return `${modeLabel(set)}. It ends by itself in ${age(set.endsInSeconds)}.`;
        }}
      />
    </section>
  );
}

/** Says on every view, while a mode is not normal, which it is and when it ends, and ends it. */
export function ModeBanner() {
  const mode = useLiveState()?.mode;
  const end = useMutation({ mutationFn: () => ops.changeMode({ mode: 'normal' }) });
  if (!mode || mode.endsInSeconds === null) return null;
  return (
    <section className="mode-banner" aria-label="Mode in force" ref={leaveFocusToView}>
      <p>
        <strong>{modeLabel(mode)}.</strong> Ends by itself in {age(mode.endsInSeconds)}.
      </p>
      <ChangeButton onClick={() => end.mutate()}>Back to normal now</ChangeButton>
      {end.error && <p className="bad">{end.error.message}</p>}
    </section>
  );
}
