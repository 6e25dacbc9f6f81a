import { queryOptions, useQuery } from '@tanstack/react-query';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useMemo } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import type { LiveSample, LiveState } from '#shared/models/metrics.ts';
import { createSampleWindow, type SampleWindow } from './sample-window.ts';

/** The state of the live view. */
interface Live {
  /** `hidden`: until the tab is shown again. `lost`: reconnecting. */
  connection: 'connecting' | 'live' | 'hidden' | 'lost';
  /** Those that the history may not have yet, oldest first: the newest, and before it one for each ten seconds. */
  samples: readonly LiveSample[];
  /** Why it could not be opened, for the operator. */
  error: Error | null;
}

const NOT_CONNECTED: Live = { connection: 'connecting', samples: [], error: null };

const QUERY_KEY = ['live'];
const RETRY_MS = 2_000;
/**
 * Samples come each second: reconnect when nothing has come for this long. Less than the listener waits on a connection on which
 * nothing goes (10 s): its end would be an error on the console.
 */
const IDLE_TIMEOUT_MS = 8_000;
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
      // What is shown is loaded again.
      if (isAnotherState(before, after))
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey !== QUERY_KEY });
    }),
  retry: true,
  retryDelay: RETRY_MS,
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * Returns whether what was loaded may be wrong now: an operator has changed something, the stream was interrupted, so that the
 * server may be another, or its clock was set back.
 */
export function isAnotherState(before: Live, after: Live): boolean {
  const [old, newest] = [before.samples.at(-1), after.samples.at(-1)];
  const isBack = ['hidden', 'lost'].includes(before.connection) && after.connection === 'live';
  if (isBack || !old || !newest) return isBack;
  return old.state.lastChange !== newest.state.lastChange || old.at > newest.at;
}

/**
 * Follows the stream. Rejects when it ends, cannot be opened or is idle, so that the query reconnects: in a hidden tab once it
 * is shown. A browser opens six connections to a server, and six streams would leave none for any call of any tab.
 */
async function follow(
  signal: AbortSignal,
  onChange: (change: (before: Live) => Live) => void,
): Promise<never> {
  // In WebKit a signal of `AbortSignal.any` ended no request.
  const ended = new AbortController();
  const end = () => ended.abort();
  signal.addEventListener('abort', end, { signal: ended.signal });
  let isHidden = false;
  const endWhereHidden = () => {
    isHidden = document.visibilityState === 'hidden';
    if (isHidden) end();
  };
  document.addEventListener('visibilitychange', endWhereHidden, { signal: ended.signal });
  endWhereHidden();
  let timer = setTimeout(end, IDLE_TIMEOUT_MS);
  let isOpen = false;
  try {
    const { body } = await ops.live(ended.signal);
    isOpen = true;
    const events = body
      ?.pipeThrough(new TextDecoderStream(), { signal: ended.signal })
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (let next = await events?.read(); next?.value; next = await events?.read()) {
      clearTimeout(timer);
      timer = setTimeout(end, IDLE_TIMEOUT_MS);
      // The server types it by the same model (`server/ops/samples/sampler.ts`).
      const sample = JSON.parse(next.value.data) as LiveSample;
      onChange(({ samples }) => ({ connection: 'live', samples: withNewest(samples, sample), error: null }));
    }
    throw new Error('the stream has ended');
  } catch (error) {
    const isRefused = error instanceof Error && !isOpen && !ended.signal.aborted;
    onChange(({ samples }) => ({
      connection: isHidden ? 'hidden' : 'lost',
      samples,
      error: isRefused ? error : null,
    }));
    throw error;
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** Adds a sample. Keeps one for each ten seconds before it, and none of a later time, as after the clock was set back. */
export function withNewest(samples: readonly LiveSample[], sample: LiveSample): LiveSample[] {
  const earlier = samples.filter(({ at }) => at < sample.at);
  const [before, last] = earlier.slice(-2);
  const isKept = before === undefined || last === undefined || last.at - before.at >= STEP_MS;
  return [...(isKept ? earlier : earlier.slice(0, -1)), sample].slice(-MAX_SAMPLES);
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
  const liveError = useLive(({ error }) => error);
  const { data, error } = useQuery({
    queryKey: ['metrics-history', minutes],
    queryFn: () => ops.metricsHistory(minutes),
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
  });
  const window = useMemo(() => (data ? createSampleWindow(data, live) : null), [data, live]);
  return { window, error: error ?? liveError };
}
