import { useMutation } from '@tanstack/react-query';
import { ops } from './api/ops-api.ts';
import { appliedBy } from './applied-by.ts';
import { age, timeAfter } from './elements/format.ts';
import { ChangeButton } from './forms/change-button.tsx';
import { ResultLine } from './forms/result-line.tsx';
import { useLive } from './live/use-live.ts';
import { modeLabel } from './mode-label.ts';

/** Says on every view, while a mode is not normal, which it is and when it ends, and ends it. */
export function ModeBanner() {
  const mode = useLive(({ metrics }) => metrics?.mode);
  const end = useMutation({ mutationFn: () => ops.changeMode({ mode: 'normal' }) });
  const left = mode?.endsInSeconds ?? null;
  return (
    <>
      {mode && left !== null && (
        <section className="mode-banner" aria-label="Mode in force">
          <p>
            <strong>{modeLabel(mode)}.</strong> Ends by itself in{' '}
            <span className="countdown">{age(left)}</span>, at {timeAfter(new Date(), left)}.
          </p>
          <ChangeButton aria-describedby="end-mode-about" onClick={() => end.mutate()}>
            Back to normal now
          </ChangeButton>
          <span id="end-mode-about" className="about">
            The policies apply again at once.
          </span>
        </section>
      )}
      <div className="mode-result">
        <ResultLine
          busy={end.isPending}
          error={end.error}
          text={end.data && `The cache is in its normal mode.${appliedBy(end.data.instances)}`}
        />
      </div>
    </>
  );
}
