import { appliedBy } from './applied-by.ts';
import { age, timeAfter } from './elements/format.ts';
import { ChangeButton } from './forms/change-button.tsx';
import { ResultLine } from './forms/result-line.tsx';
import { useChange } from './forms/use-change.ts';
import { useLive } from './live/use-live.ts';
import { modeLabel } from './mode-label.ts';
import { useOps } from './ops-context.ts';

/** Says on every view, while a mode is not normal, which it is and when it ends, and ends it. */
export function ModeBanner() {
  const { metrics } = useLive();
  const ops = useOps();
  const end = useChange({ mutationFn: () => ops.changeMode({ mode: 'normal' }) });
  const left = metrics?.mode.endsInSeconds ?? null;
  return (
    <>
      {metrics !== null && left !== null && (
        <section className="mode-banner" aria-label="Mode in force">
          <p>
            <strong>{modeLabel(metrics.mode)}.</strong> Ends by itself in{' '}
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
