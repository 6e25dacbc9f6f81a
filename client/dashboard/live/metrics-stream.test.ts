import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Live, metricsStreamQuery, NOT_CONNECTED } from './metrics-stream.ts';

const AT = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-01T00:00:01.000Z';

/** A stream whose text the test sends. */
function scriptedStream() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encode = new TextEncoder();
  const sendText = (text: string) => writer.write(encode.encode(text));
  return {
    response: new Response(readable),
    sendText,
    send: (event: string, data: unknown) => sendText(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => writer.close(),
  };
}

let client: QueryClient;
let states: Live[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  states = [];
  stop = () => undefined;
});
afterEach(() => {
  stop();
  client.clear();
  vi.useRealTimers();
});

function follow(open: (signal: AbortSignal) => Promise<Response>): void {
  const observer = new QueryObserver(client, metricsStreamQuery(open));
  stop = observer.subscribe(({ data }) => {
    if (data) states.push(data);
  });
}

const state = () => states.at(-1) ?? NOT_CONNECTED;
const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('following the metrics stream', () => {
  it('is live with the first metrics, not with the connection', async () => {
    const one = scriptedStream();
    follow(async () => one.response);
    await one.send('history', [{ at: AT }]);
    await passed(0);
    expect(state()).toMatchObject({ connection: 'connecting', metrics: null, points: [{ at: AT }] });
    await one.send('metrics', { at: LATER });
    await passed(0);
    expect(state()).toMatchObject({
      connection: 'live',
      metrics: { at: LATER },
      points: [{ at: AT }, { at: LATER }],
    });
  });

  it('takes events in any chunks, and none that was cut off', async () => {
    const one = scriptedStream();
    follow(async () => one.response);
    for (const character of `retry: 2000\n\nevent: metrics\ndata: {"at":"${AT}"}\n\n`)
      await one.sendText(character);
    await one.sendText(`event: metrics\ndata: {"at":"${LATER}"`);
    await one.end();
    await passed(0);
    expect(state().metrics).toEqual({ at: AT });
  });

  it('reconnects two seconds after the stream drops, and loads everything else again', async () => {
    const [one, two] = [scriptedStream(), scriptedStream()];
    const open = vi.fn().mockResolvedValueOnce(one.response).mockResolvedValueOnce(two.response);
    client.setQueryData(['session'], 'of before');
    follow(open);
    await one.send('metrics', { at: AT });
    await one.end();
    await passed(1_999);
    expect(state()).toMatchObject({ connection: 'lost', metrics: { at: AT } });
    expect(open).toHaveBeenCalledTimes(1);
    await passed(1);
    expect(open).toHaveBeenCalledTimes(2);
    expect(client.getQueryState(['session'])?.isInvalidated).toBe(false);
    await two.send('metrics', { at: LATER });
    await passed(0);
    expect(state()).toMatchObject({ connection: 'live', points: [{ at: AT }, { at: LATER }] });
    expect(client.getQueryState(['session'])?.isInvalidated).toBe(true);
  });

  it('tries again where the stream cannot be opened', async () => {
    const open = vi.fn().mockRejectedValue(new Error('refused'));
    follow(open);
    await passed(0);
    expect(state().connection).toBe('lost');
    await passed(20_000);
    expect(open).toHaveBeenCalledTimes(11);
  });

  it('reconnects when nothing has come for ten seconds', async () => {
    const one = scriptedStream();
    const signals: AbortSignal[] = [];
    follow(async (signal) => {
      signals.push(signal);
      return one.response;
    });
    await one.send('metrics', { at: AT });
    await passed(9_000);
    await one.send('metrics', { at: LATER });
    await passed(9_999);
    expect(state().connection).toBe('live');
    await passed(1);
    expect(state().connection).toBe('lost');
    expect(signals[0]?.aborted).toBe(true);
  });

  it('ends when nobody shows it', async () => {
    const one = scriptedStream();
    const signals: AbortSignal[] = [];
    follow(async (signal) => {
      signals.push(signal);
      return one.response;
    });
    await one.send('metrics', { at: AT });
    await passed(0);
    stop();
    await passed(60_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(states.map(({ connection }) => connection)).not.toContain('lost');
  });
});
