import { beforeEach, describe, expect, it } from 'vitest';
import { createBackgroundRefresh, MAX_CONCURRENT_REFRESHES } from './background-refresh.ts';

let started: string[];
let finish: Map<string, () => void>;

beforeEach(() => {
  started = [];
  finish = new Map();
});

/** A refresh that the test ends. */
function refresh(key: string): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      started.push(key);
      finish.set(key, resolve);
    });
}

/** Returns a queue whose other places are taken and never given back. */
function queueWithRoomFor(places: number) {
  const queue = createBackgroundRefresh();
  for (let nth = places; nth < MAX_CONCURRENT_REFRESHES; nth++)
    queue.add(`taken/${nth}`, () => new Promise(() => undefined));
  return queue;
}

async function end(key: string): Promise<void> {
  finish.get(key)?.();
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the background refresh queue', () => {
  it('bounds concurrency, and starts the next refresh when one ends', async () => {
    const queue = queueWithRoomFor(2);
    for (const key of ['a', 'b', 'c']) queue.add(key, refresh(key));
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('starts the most requested key first', async () => {
    const queue = queueWithRoomFor(1);
    for (const key of ['first', 'cold', 'hot', 'hot', 'hot', 'warm', 'warm']) queue.add(key, refresh(key));
    for (const key of ['first', 'hot', 'warm']) await end(key);
    expect(started).toEqual(['first', 'hot', 'warm', 'cold']);
  });

  it('drops a refresh when five thousand are queued', async () => {
    const queue = queueWithRoomFor(1);
    queue.add('running', refresh('running'));
    for (let index = 0; index < 5_000; index++) queue.add(`waiting/${index}`, async () => undefined);
    queue.add('dropped', refresh('dropped'));
    await end('running');
    expect(started).toEqual(['running']);
  });

  it('starts nothing once it is closed', async () => {
    const queue = queueWithRoomFor(1);
    queue.add('running', refresh('running'));
    queue.add('waiting', refresh('waiting'));
    queue.close();
    queue.add('late', refresh('late'));
    await end('running');
    expect(started).toEqual(['running']);
  });
});
