import type { LiveMetrics, LivePoint } from '#shared/models/metrics.ts';
import { createEventReader, type StreamedEvent } from './event-stream.ts';

/** `lost`: no line, and the next attempt is on its way. */
export type Connection = 'connecting' | 'live' | 'lost';

export interface FollowOptions {
  /** Opens a line. Rejects where the listener refuses or cannot be reached. */
  open: (signal: AbortSignal) => Promise<Response>;
  onHistory: (points: LivePoint[]) => void;
  onMetrics: (metrics: LiveMetrics) => void;
  onConnection: (connection: Connection) => void;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Ends it. */
  signal: AbortSignal;
}

const RETRY_MS = 2_000;
/** Figures come each second: a line that is silent for so long is dead, though nobody has said so. */
const SILENCE_MS = 10_000;

/** Follows the live figures until it is ended, and opens a new line whenever one drops. */
export async function followMetricsStream(options: FollowOptions): Promise<void> {
  const { onConnection, wait, signal } = options;
  onConnection('connecting');
  while (!signal.aborted) {
    await readLine(options).catch(() => undefined);
    if (signal.aborted) return;
    onConnection('lost');
    await wait(RETRY_MS, signal);
  }
}

async function readLine({ open, onConnection, wait, signal, ...handlers }: FollowOptions): Promise<void> {
  const line = new AbortController();
  const both = AbortSignal.any([signal, line.signal]);
  try {
    const { body } = await open(both);
    if (!body) return;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const take = createEventReader((event) => tell(event, { onConnection, ...handlers }));
    for (;;) {
      const { done, value } = await withinSilence(reader.read(), wait, both);
      if (done) return;
      take(value);
    }
  } finally {
    line.abort();
  }
}

/** The next piece. Rejects where none comes in time. */
async function withinSilence<T>(
  piece: Promise<T>,
  wait: FollowOptions['wait'],
  signal: AbortSignal,
): Promise<T> {
  const heard = new AbortController();
  const silence = wait(SILENCE_MS, AbortSignal.any([signal, heard.signal])).then(() => {
    throw new Error('the line is silent');
  });
  try {
    return await Promise.race([piece, silence]);
  } finally {
    silence.catch(() => undefined);
    heard.abort();
  }
}

/** The listener makes both kinds of event by the types named here (`server/ops/live/metrics-stream.ts`). */
function tell(
  { name, data }: StreamedEvent,
  { onHistory, onMetrics, onConnection }: Pick<FollowOptions, 'onHistory' | 'onMetrics' | 'onConnection'>,
): void {
  if (name === 'history') onHistory(JSON.parse(data) as LivePoint[]);
  if (name !== 'figures') return;
  onConnection('live');
  onMetrics(JSON.parse(data) as LiveMetrics);
}
