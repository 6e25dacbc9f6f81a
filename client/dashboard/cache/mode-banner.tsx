import { useMutation } from '@tanstack/react-query';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { ChangeButton } from '#client/dashboard/elements/change-button.tsx';
import { age } from '#client/dashboard/elements/format.ts';
import { useLiveState } from '#client/dashboard/samples/use-samples.ts';
import { modeLabel } from './mode-label.ts';

/** Says on every view, while a mode is not normal, which it is and when it ends, and ends it. */
export function ModeBanner() {
  const mode = useLiveState()?.mode;
  const end = useMutation({ mutationFn: () => ops.changeMode({ mode: 'normal' }) });
  if (!mode || mode.endsInSeconds === null) return null;
  return (
    <section className="mode-banner" aria-label="Mode in force">
      <p>
        <strong>{modeLabel(mode)}.</strong> Ends by itself in {age(mode.endsInSeconds)}.
      </p>
      <ChangeButton onClick={() => end.mutate()}>Back to normal now</ChangeButton>
      {end.error && <p className="bad">{end.error.message}</p>}
    </section>
  );
}
