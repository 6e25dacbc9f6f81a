import { useCallback, useRef, useState } from 'react';

/** What became of the last attempt, in words. */
export interface Result {
  good: boolean;
  text: string;
}

/** One thing an operator has done: while it runs, and what became of it. */
export interface Action {
  busy: boolean;
  result: Result | null;
  /** Runs it, unless it runs already. `work` answers what is to be said; what it rejects with is said instead. */
  run: (work: () => Promise<string>) => Promise<void>;
  clear: () => void;
}

/** Buttons stay enabled while it runs: a disabled one would lose the focus. */
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
      setResult({ good: true, text: await work() });
    } catch (error) {
      setResult({ good: false, text: error instanceof Error ? error.message : String(error) });
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  const clear = useCallback(() => setResult(null), []);
  return { busy, result, run, clear };
}
