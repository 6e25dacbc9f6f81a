import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Overloaded } from '#server/errors.ts';
import { createClientQueue } from './client-queue.ts';

const STAYS = new AbortController().signal;

let begun: string[];
let ends: Map<string, PromiseWithResolvers<string>>;

beforeEach(() => {
  begun = [];
  ends = new Map();
});

const MAX_WAIT_MS = 13_000;

afterEach(() => void vi.useRealTimers());

function create() {
  const queue = createClientQueue<string>(MAX_WAIT_MS);
  const ask = (client: string, key: string, signal = STAYS) => {
    const asked = queue.run(key, client, signal, () => {
      begun.push(key);
      const end = Promise.withResolvers<string>();
      ends.set(key, end);
      return end.promise;
    });
    asked.catch(() => undefined);
    return asked;
  };
  return { ask };
}

/** Ends a job, and waits until the next has begun. */
async function end(key: string): Promise<void> {
  ends.get(key)?.resolve(`result of ${key}`);
  await new Promise(setImmediate);
}

describe('a client', () => {
  it('has two jobs that run and forty that wait; the next is refused', async () => {
    const { ask } = create();
    const asked = Array.from({ length: 43 }, (_, n) => ask('a', `a${n}`));
    await expect(asked[42]).rejects.toBeInstanceOf(Overloaded);
    expect(begun).toEqual(['a0', 'a1']);
    await end('a0');
    expect(begun).toEqual(['a0', 'a1', 'a2']);
    await expect(asked[0]).resolves.toBe('result of a0');
    const later = ask('a', 'a43');
    for (let n = 1; n < 44; n++) await end(`a${n}`);
    await expect(later).resolves.toBe('result of a43');
  });

  it('does not wait for the jobs of another', async () => {
    const { ask } = create();
    for (let n = 0; n < 43; n++) void ask('a', `a${n}`);
    void ask('b', 'b0');
    expect(begun).toEqual(['a0', 'a1', 'b0']);
  });

  it('is served by the job of another for the same key, on whoever has a share left', async () => {
    const { ask } = create();
    for (let n = 0; n < 3; n++) void ask('a', `a${n}`);
    const joined = ask('b', 'a2');
    expect(begun).toEqual(['a0', 'a1', 'a2']);
    await end('a2');
    await expect(joined).resolves.toBe('result of a2');
  });
});

describe('a job', () => {
  it('is one for all who ask for its key, and rejects for all', async () => {
    const { ask } = create();
    const asked = Array.from({ length: 30 }, () => ask('a', 'a0'));
    expect(begun).toEqual(['a0']);
    ends.get('a0')?.reject(new Error('no such picture'));
    const settled = await Promise.allSettled(asked);
    expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['rejected']));
  });

  it('is dropped when all of its clients have left before it runs', async () => {
    const { ask } = create();
    // Two for each client, so that nothing else may run.
    for (let n = 0; n < 8; n++) void ask(`${n >> 1}`, `running ${n}`);
    begun = [];
    const [one, other] = [new AbortController(), new AbortController()];
    const left = [ask('a', 'dropped', one.signal), ask('b', 'dropped', other.signal)];
    void ask('b', 'kept', one.signal);
    void ask('c', 'kept');
    one.abort();
    other.abort();
    for (const request of left) await expect(request).rejects.toBeInstanceOf(Overloaded);
    await end('running 0');
    expect(begun).toEqual(['kept']);
    await end('kept');
    await expect(ask('d', 'dropped', AbortSignal.abort())).rejects.toBeInstanceOf(Overloaded);
  });

  it('goes on without a request that has waited too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { ask } = create();
    const first = ask('a', 'a0');
    vi.advanceTimersByTime(MAX_WAIT_MS);
    await expect(first).rejects.toBeInstanceOf(Overloaded);
    const again = ask('a', 'a0');
    await end('a0');
    await expect(again).resolves.toBe('result of a0');
    expect(begun).toEqual(['a0']);
  });
});

it('many clients together fill the queue, until a job ends', async () => {
  const { ask } = create();
  for (let client = 0; client < 4; client++)
    for (let n = 0; n < 42; n++) void ask(`${client}`, `${client}-${n}`);
  for (let n = 0; n < 240; n++) void ask(`${4 + Math.floor(n / 40)}`, `other ${n}`);
  expect(begun).toHaveLength(8);
  await expect(ask('late', 'late')).rejects.toBeInstanceOf(Overloaded);
  await end('0-0');
  void ask('late', 'late again');
  await expect(ask('later', 'later')).rejects.toBeInstanceOf(Overloaded);
});
