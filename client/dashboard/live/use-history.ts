import { useEffect, useState } from 'react';
import type { OpsApi } from '#client/dashboard/api/ops-api.ts';
import type { History } from '#client/dashboard/api/ops-responses.ts';

const POLL_MS = 10_000;
const NOTHING: History = { points: [], events: [] };

/** Returns the points and events of the last `minutes`, polled every ten seconds; those before while a poll fails. */
export function useHistory(load: OpsApi['history'], minutes: number): History {
  const [history, setHistory] = useState(NOTHING);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let unmounted = false;
    async function poll(): Promise<void> {
      const found = await load(minutes).catch(() => null);
      if (unmounted) return;
      if (found) setHistory(found);
      timer = setTimeout(poll, POLL_MS);
    }
    void poll();
    return () => {
      unmounted = true;
      clearTimeout(timer);
    };
  }, [load, minutes]);
  return history;
}
