import { useEffect, useState } from 'react';

/** Returns whether `key` has been the same for `ms` milliseconds. Never for null. */
export function useElapsed(key: string | null, ms: number): boolean {
  const [elapsed, setElapsed] = useState<string | null>(null);
  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => setElapsed(key), ms);
    return () => {
      clearTimeout(timer);
      // After Back the same key waits again.
      setElapsed(null);
    };
  }, [key, ms]);
  return key !== null && elapsed === key;
}
