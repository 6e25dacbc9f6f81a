import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useMemo } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import type { LiveSample, LiveState } from '#shared/models/metrics.ts';
import { createSampleWindow, type SampleWindow } from './sample-window.ts';

/** The state of the live view. */
interface Live {
  /** `lost`: reconnecting. */
  connection: 'connecting' | 'live' | 'lost';
  /** Those that the history may not have yet, oldest first: the newest, and before it one for each ten seconds. */
  samples: readonly LiveSample[];
}

const NOT_CONNECTED: Live = { connection: 'connecting', samples: [] };

const QUERY_KEY = ['live'];
const RETRY_MS = 2_000;
/** Samples come each second: reconnect when nothing has come for this long. */
const IDLE_TIMEOUT_MS = 10_000;
const STEP_MS = 10_000;
/** The history is loaded again each minute. */
const REFRESH_MS = 60_000;
const MAX_SAMPLES = 15;

/** The stream as a query that never ends: its data is the state of the stream, its retries are the reconnects. */
const LIVE = queryOptions({
  queryKey: QUERY_KEY,
  queryFn: ({ client, signal }): Promise<Live> =>
    follow(signal, (change) => {
      const before = client.getQueryData<Live>(QUERY_KEY) ?? NOT_CONNECTED;
      const after = change(before);
      client.setQueryData(QUERY_KEY, after);
      if (isAnotherState(before, after)) void reloadResponses(client);
    }),
  retry: true,
  retryDelay: RETRY_MS,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Whether there is another change of an operator, or a server that was restarted: with other tokens, policies and messages. */
function isAnotherState(before: Live, after: Live): boolean {
  const [old, state] = [before.samples.at(-1)?.state, after.samples.at(-1)?.state];
  const isBack = before.connection === 'lost' && after.connection === 'live';
  return isBack || (old !== undefined && old.lastChange !== state?.lastChange);
}

/** Loads again what is shown. */
function reloadResponses(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey !== QUERY_KEY });
}

/** Follows the stream. Rejects when it ends, cannot be opened or is idle, so that the query reconnects. */
async function follow(
  signal: AbortSignal,
  onChange: (change: (before: Live) => Live) => void,
): Promise<never> {
  const idle = new AbortController();
  let timer = setTimeout(() => idle.abort(), IDLE_TIMEOUT_MS);
  try {
    const either = AbortSignal.any([signal, idle.signal]);
    const { body } = await ops.live(either);
    const events = body
      ?.pipeThrough(new TextDecoderStream(), { signal: either })
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (let next = await events?.read(); next?.value; next = await events?.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(), IDLE_TIMEOUT_MS);
      // The server types it by the same model (`server/ops/samples/samples.ts`).
      const sample = JSON.parse(next.value.data) as LiveSample;
      onChange(({ samples }) => ({ connection: 'live', samples: withNewest(samples, sample) }));
    }
    throw new Error('the stream has ended');
  } catch (error) {
    onChange((before) => ({ ...before, connection: 'lost' }));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Adds a sample. The one before it stays where it is ten seconds after that before. */
export function withNewest(samples: readonly LiveSample[], sample: LiveSample): LiveSample[] {
  const [before, last] = samples.slice(-2);
  const isKept = before === undefined || last === undefined || last.at - before.at >= STEP_MS;
  return [...(isKept ? samples : samples.slice(0, -1)), sample].slice(-MAX_SAMPLES);
}

/**
 * Returns a part of the state of the live view, which is open while something shows it. What has not changed is the same
 * object as before, and nothing is rendered again for it.
 */
export function useLive<Part>(select: (live: Live) => Part): Part {
  const { data } = useQuery({ ...LIVE, select });
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
