import { useEffect, useReducer } from 'react';
import type { OpsApi } from '#client/dashboard/api/ops-api.ts';
import type { LiveMetrics, LivePoint } from '#shared/models/metrics.ts';
import { mergePoints } from './merge-points.ts';
import { type Connection, followMetricsStream } from './metrics-stream.ts';

/** The state of the metrics stream. `metrics`: null until the first have come. */
export interface Live {
  connection: Connection;
  metrics: LiveMetrics | null;
  /** For the plots, oldest first. */
  points: readonly LivePoint[];
}

type Change = { metrics: LiveMetrics } | { history: LivePoint[] } | { connection: Connection };

const INITIAL: Live = { connection: 'connecting', metrics: null, points: [] };

function reduce(live: Live, change: Change): Live {
  if ('connection' in change) return { ...live, connection: change.connection };
  if ('history' in change) return { ...live, points: mergePoints(live.points, change.history) };
  return { ...live, metrics: change.metrics, points: mergePoints(live.points, [change.metrics]) };
}

/** Follows the metrics stream while the component is mounted. */
export function useLiveMetrics(open: OpsApi['live']): Live {
  const [live, dispatch] = useReducer(reduce, INITIAL);
  useEffect(() => {
    const end = new AbortController();
    void followMetricsStream({
      open,
      onHistory: (history) => dispatch({ history }),
      onMetrics: (metrics) => dispatch({ metrics }),
      onConnection: (connection) => dispatch({ connection }),
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
