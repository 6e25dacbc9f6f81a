import type { LiveMode } from '#shared/models/metrics.ts';
import type { OpsApi } from './api/ops-api.ts';
import { ChangeButton } from './elements/change-button.tsx';
import { age, timeAfter } from './elements/format.ts';
import { ResultLine } from './elements/result-line.tsx';
import { useAction } from './elements/use-action.ts';
import { modeLabel } from './mode-label.ts';

/** Says on every view, while a mode is not normal, which it is and when it ends, and ends it. */
export function ModeBanner({ api, mode }: { api: OpsApi; mode: LiveMode | null }) {
  const action = useAction();
  const left = mode?.endsInSeconds ?? null;
  if (mode === null || left === null) return null;
  return (
    <section className="mode-banner" aria-label="Mode in force">
      <p>
        <strong>{modeLabel(mode)}.</strong> Ends by itself in <span className="countdown">{age(left)}</span>,
        at {timeAfter(new Date(), left)}.
      </p>
      <ChangeButton
        aria-describedby="end-mode-about"
        onClick={() =>
          void action.run(async () => {
            await api.changeMode({ mode: 'normal' });
            return 'The cache is in its normal mode.';
          })
        }
      >
        Back to normal now
      </ChangeButton>
      <span id="end-mode-about" className="about">
        The policies apply again at once.
      </span>
      <ResultLine {...action} />
    </section>
  );
}
