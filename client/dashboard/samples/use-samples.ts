import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import type { LiveState } from '#shared/models/metrics.ts';
import { createSampleWindow, type SampleWindow } from './sample-window.ts';
import { type Live, liveQuery, NOT_CONNECTED } from './samples-stream.ts';

const REFRESH_MS = 60_000;

/**
 * Returns a part of the state of the live view, which is open while something shows it. What has not changed is the same
 * object as before, and nothing is rendered again for it.
 */
export function useLive<Part>(select: (live: Live) => Part): Part {
  const { data } = useQuery({ ...liveQuery(ops.live), select });
  return data ?? select(NOT_CONNECTED);
}

/** Returns what the live view shows besides numbers; null until it has come. */
export function useLiveState(): LiveState | null {
  return useLive(({ samples }) => samples.at(-1)?.state ?? null);
}

/** Returns the samples of the last `minutes` and the newest; null until they have come. `error`: why they are old. */
export function useSamples(minutes: number): { window: SampleWindow | null; error: Error | null } {
  const live = useLive(({ samples }) => samples);
  const { data, error } = useQuery({
    queryKey: ['metrics-history', minutes],
    queryFn: () => ops.metricsHistory(minutes),
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
  });
  const window = useMemo(() => (data ? createSampleWindow(data, live) : null), [data, live]);
  return { window, error };
}
