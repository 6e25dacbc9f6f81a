import type { LiveMetrics, LivePoint } from '#shared/models/metrics.ts';
import { createEventParser, type StreamedEvent } from './event-stream.ts';

/** `lost`: reconnecting. */
export type Connection = 'connecting' | 'live' | 'lost';

export interface FollowOptions {
  /** Opens the stream. Rejects where the listener refuses or cannot be reached. */
  open: (signal: AbortSignal) => Promise<Response>;
  onHistory: (points: LivePoint[]) => void;
  onMetrics: (metrics: LiveMetrics) => void;
  onConnection: (connection: Connection) => void;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Stops following. */
  signal: AbortSignal;
}

const RETRY_MS = 2_000;
/** Metrics come each second: reconnect when nothing has come for this long. */
const IDLE_TIMEOUT_MS = 10_000;

/** Follows the metrics stream and reconnects whenever it drops, until the signal aborts. */
export async function followMetricsStream(options: FollowOptions): Promise<void> {
  const { onConnection, wait, signal } = options;
  onConnection('connecting');
  while (!signal.aborted) {
    await readStream(options).catch(() => undefined);
    if (signal.aborted) return;
    onConnection('lost');
    await wait(RETRY_MS, signal);
  }
}

async function readStream({ open, onConnection, wait, signal, ...handlers }: FollowOptions): Promise<void> {
  const stream = new AbortController();
  const both = AbortSignal.any([signal, stream.signal]);
  try {
    const { body } = await open(both);
    if (!body) return;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const parseChunk = createEventParser((event) => dispatch(event, { onConnection, ...handlers }));
    for (;;) {
      const { done, value } = await withinIdleTimeout(reader.read(), wait, both);
      if (done) return;
      parseChunk(value);
    }
  } finally {
    stream.abort();
  }
}

/** Returns the next chunk. Rejects where none comes in time. */
async function withinIdleTimeout<T>(
  chunk: Promise<T>,
  wait: FollowOptions['wait'],
  signal: AbortSignal,
): Promise<T> {
  const received = new AbortController();
  const timeout = wait(IDLE_TIMEOUT_MS, AbortSignal.any([signal, received.signal])).then(() => {
    throw new Error('the stream is idle');
  });
  try {
    return await Promise.race([chunk, timeout]);
  } finally {
    timeout.catch(() => undefined);
    received.abort();
  }
}

/** The server types both events by the same models (`server/ops/metrics-stream/metrics-stream.ts`). */
function dispatch(
  { name, data }: StreamedEvent,
  { onHistory, onMetrics, onConnection }: Pick<FollowOptions, 'onHistory' | 'onMetrics' | 'onConnection'>,
): void {
  if (name === 'history') onHistory(JSON.parse(data) as LivePoint[]);
  if (name !== 'metrics') return;
  onConnection('live');
  onMetrics(JSON.parse(data) as LiveMetrics);
}
