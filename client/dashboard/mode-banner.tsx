import type { LiveMode } from '#shared/models/metrics.ts';
import type { OpsApi } from './api/ops-api.ts';
import { age, timeAfter } from './elements/format.ts';
import { ResultLine } from './elements/result-line.tsx';
import { useAction } from './elements/use-action.ts';
import { modeLabels } from './mode-labels.ts';

/** On every view, while a mode is not normal: which, until when, and the way back. */
export function ModeBanner({ api, mode }: { api: OpsApi; mode: LiveMode | null }) {
  const action = useAction();
  const left = mode?.endsInSeconds ?? null;
  if (mode === null || left === null) return null;
  return (
    <section className="mode-banner" aria-label="Mode in force">
      <p>
        <strong>{modeLabels(mode)}.</strong> Ends by itself in <span className="countdown">{age(left)}</span>,
        at {timeAfter(new Date(), left)}.
      </p>
      <button
        type="button"
        aria-describedby="back-about"
        onClick={() =>
          void action.run(async () => {
            await api.changeMode({ mode: 'normal' });
            return 'The cache works as always again.';
          })
        }
      >
        Back to normal now
      </button>
      <span id="back-about" className="about">
        Ages count as they are set again, from this moment.
      </span>
      <ResultLine {...action} />
    </section>
  );
}
