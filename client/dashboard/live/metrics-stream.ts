import { queryOptions } from '@tanstack/react-query';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ENDLESS, reloadResponses } from '#client/dashboard/api/query-client.ts';
import type { LiveMetrics, LivePoint } from '#shared/models/metrics.ts';
import { mergePoints } from './merge-points.ts';

/** The state of the metrics stream. */
export interface Live {
  /** `lost`: reconnecting. */
  connection: 'connecting' | 'live' | 'lost';
  /** Null until the first have come. */
  metrics: LiveMetrics | null;
  /** For the plots, oldest first. */
  points: readonly LivePoint[];
}

/** Opens the stream. Rejects where the listener refuses or cannot be reached. */
type Open = (signal: AbortSignal) => Promise<Response>;
type Change = (before: Live) => Live;

export const NOT_CONNECTED: Live = { connection: 'connecting', metrics: null, points: [] };

const QUERY_KEY = ['metrics stream'];
const RETRY_MS = 2_000;
/** Metrics come each second: reconnect when nothing has come for this long. */
const IDLE_TIMEOUT_MS = 10_000;

/** The stream as a query that never ends: its data is the state of the stream, its retries are the reconnects. */
export function metricsStreamQuery(open: Open) {
  return queryOptions({
    queryKey: QUERY_KEY,
    queryFn: ({ client, signal }): Promise<Live> =>
      followMetricsStream(open, signal, (change) => {
        const before = client.getQueryData<Live>(QUERY_KEY) ?? NOT_CONNECTED;
        const after = change(before);
        client.setQueryData(QUERY_KEY, after);
        // A server that was restarted may have other tokens, policies and messages.
        if (before.connection === 'lost' && after.connection === 'live') void reloadResponses(client);
      }),
    retry: true,
    retryDelay: RETRY_MS,
    staleTime: Number.POSITIVE_INFINITY,
    meta: ENDLESS,
  });
}

/** Follows the metrics stream. Rejects when it ends, cannot be opened or is idle, so that the query reconnects. */
async function followMetricsStream(
  open: Open,
  signal: AbortSignal,
  onChange: (change: Change) => void,
): Promise<never> {
  const idle = new AbortController();
  let timer = setTimeout(() => idle.abort(), IDLE_TIMEOUT_MS);
  try {
    const either = AbortSignal.any([signal, idle.signal]);
    const { body } = await open(either);
    const events = body
      ?.pipeThrough(new TextDecoderStream(), { signal: either })
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (let next = await events?.read(); next?.value; next = await events?.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(), IDLE_TIMEOUT_MS);
      onChange(changeOf(next.value.event, next.value.data));
    }
    throw new Error('the stream has ended');
  } catch (error) {
    onChange((before) => ({ ...before, connection: 'lost' }));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The server types both events by the same models (`server/ops/metrics-stream/metrics-stream.ts`). */
function changeOf(event: string | undefined, data: string): Change {
  if (event === 'history') {
    const history = JSON.parse(data) as LivePoint[];
    return (before) => ({ ...before, points: mergePoints(before.points, history) });
  }
  const metrics = JSON.parse(data) as LiveMetrics;
  return ({ points }) => ({ connection: 'live', metrics, points: mergePoints(points, [metrics]) });
}
