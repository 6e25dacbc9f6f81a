import { useCallback, useRef, useState } from 'react';

/** The result of the last run, in words. */
export interface Result {
  ok: boolean;
  text: string;
}

/** An operator's action: whether it runs, and its last result. */
export interface Action {
  busy: boolean;
  result: Result | null;
  /** Runs `work` unless one runs already. It resolves with the text to show; an error's message is shown instead. */
  run: (work: () => Promise<string>) => Promise<void>;
  clear: () => void;
}

/** Runs an action and holds its result. Buttons stay enabled meanwhile: a disabled one would lose the focus. */
export function useAction(): Action {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result | null>(null);
  const run = useCallback(async (work: () => Promise<string>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setResult(null);
    try {
      setResult({ ok: true, text: await work() });
    } catch (error) {
      setResult({ ok: false, text: error instanceof Error ? error.message : String(error) });
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  const clear = useCallback(() => setResult(null), []);
  return { busy, result, run, clear };
}
