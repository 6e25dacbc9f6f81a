import { useEffect, useReducer } from 'react';
import type { OpsApi } from '#client/dashboard/api/ops-api.ts';
import type { LiveFigures, LivePoint } from '#shared/models/metrics.ts';
import { mergePoints } from './merge-points.ts';
import { type Connection, followLive } from './metrics-stream.ts';

/** What is known of the site now. `figures`: null until the first have come. */
export interface Live {
  connection: Connection;
  figures: LiveFigures | null;
  /** What is plotted, oldest first. */
  points: readonly LivePoint[];
}

type Change = { figures: LiveFigures } | { history: LivePoint[] } | { connection: Connection };

const NOTHING: Live = { connection: 'connecting', figures: null, points: [] };

function changed(live: Live, change: Change): Live {
  if ('connection' in change) return { ...live, connection: change.connection };
  if ('history' in change) return { ...live, points: mergePoints(live.points, change.history) };
  return { ...live, figures: change.figures, points: mergePoints(live.points, [change.figures]) };
}

/** Follows the live figures while it is mounted. */
export function useLive(open: OpsApi['live']): Live {
  const [live, change] = useReducer(changed, NOTHING);
  useEffect(() => {
    const end = new AbortController();
    void followLive({
      open,
      onHistory: (history) => change({ history }),
      onFigures: (figures) => change({ figures }),
      onConnection: (connection) => change({ connection }),
      wait,
      signal: end.signal,
    });
    return () => end.abort();
  }, [open]);
  return live;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
