import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Connection, followMetricsStream } from './metrics-stream.ts';

/** A stream whose events the test sends. */
function scriptedStream() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encode = new TextEncoder();
  return {
    response: new Response(readable),
    send: (event: string, data: unknown) =>
      writer.write(encode.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
    end: () => writer.close(),
  };
}

/** Timers that the test ends, or their signal. */
function scriptedTimers() {
  const pending: { ms: number; finish: () => void }[] = [];
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      pending.push({ ms, finish: resolve });
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  return {
    wait,
    pass: (ms: number) =>
      pending
        .filter((one) => one.ms === ms)
        .at(-1)
        ?.finish(),
  };
}

let end: AbortController;
let connections: Connection[];
let metrics: unknown[];
let histories: unknown[];

beforeEach(() => {
  end = new AbortController();
  connections = [];
  metrics = [];
  histories = [];
});
afterEach(() => end.abort());

function follow(
  open: (signal: AbortSignal) => Promise<Response>,
  wait: ReturnType<typeof scriptedTimers>['wait'],
) {
  return followMetricsStream({
    open,
    wait,
    signal: end.signal,
    onConnection: (connection) => connections.push(connection),
    onMetrics: (seen) => metrics.push(seen),
    onHistory: (points) => histories.push(points),
  });
}

describe('following the metrics stream', () => {
  it('is live with the first metrics, not with the connection', async () => {
    const one = scriptedStream();
    void follow(async () => one.response, scriptedTimers().wait);
    expect(connections).toEqual(['connecting']);
    await one.send('history', [1]);
    await vi.waitFor(() => expect(histories).toEqual([[1]]));
    expect(connections).toEqual(['connecting']);
    await one.send('metrics', { a: 1 });
    await vi.waitFor(() => expect(metrics).toEqual([{ a: 1 }]));
    expect(connections).toEqual(['connecting', 'live']);
  });

  it('reconnects two seconds after the stream drops', async () => {
    const [one, two] = [scriptedStream(), scriptedStream()];
    const open = vi.fn().mockResolvedValueOnce(one.response).mockResolvedValueOnce(two.response);
    const time = scriptedTimers();
    void follow(open, time.wait);
    await one.send('metrics', 1);
    await one.end();
    await vi.waitFor(() => expect(connections).toEqual(['connecting', 'live', 'lost']));
    expect(open).toHaveBeenCalledTimes(1);
    time.pass(2_000);
    await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(2));
    await two.send('metrics', 2);
    await vi.waitFor(() => expect(connections.at(-1)).toBe('live'));
    expect(metrics).toEqual([1, 2]);
  });

  it('tries again where the stream cannot be opened', async () => {
    const open = vi.fn().mockRejectedValue(new Error('refused'));
    const time = scriptedTimers();
    void follow(open, time.wait);
    await vi.waitFor(() => expect(connections).toEqual(['connecting', 'lost']));
    time.pass(2_000);
    await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(2));
  });

  it('reconnects when nothing has come for ten seconds', async () => {
    const one = scriptedStream();
    const signals: AbortSignal[] = [];
    const time = scriptedTimers();
    void follow(async (signal) => {
      signals.push(signal);
      return one.response;
    }, time.wait);
    await one.send('metrics', 1);
    await vi.waitFor(() => expect(connections.at(-1)).toBe('live'));
    time.pass(10_000);
    await vi.waitFor(() => expect(connections.at(-1)).toBe('lost'));
    expect(signals[0]?.aborted).toBe(true);
  });

  it('ends with its signal', async () => {
    const one = scriptedStream();
    const following = follow(async () => one.response, scriptedTimers().wait);
    await one.send('metrics', 1);
    end.abort();
    await following;
    expect(connections).not.toContain('lost');
  });
});
