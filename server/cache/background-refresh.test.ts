import { beforeEach, describe, expect, it } from 'vitest';
import { createBackgroundRefresh } from './background-refresh.ts';

let started: string[];
let finish: Map<string, () => void>;

beforeEach(() => {
  started = [];
  finish = new Map();
});

/** A refresh the test ends itself. */
function job(key: string): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      started.push(key);
      finish.set(key, resolve);
    });
}

async function end(key: string): Promise<void> {
  finish.get(key)?.();
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the refresh queue', () => {
  it('runs no more at once than it may, and the next as soon as one ends', async () => {
    const queue = createBackgroundRefresh(2);
    for (const key of ['a', 'b', 'c']) queue.add(key, job(key));
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('takes what was asked for most often first', async () => {
    const queue = createBackgroundRefresh(1);
    for (const key of ['first', 'cold', 'hot', 'hot', 'hot', 'warm', 'warm']) queue.add(key, job(key));
    for (const key of ['first', 'hot', 'warm']) await end(key);
    expect(started).toEqual(['first', 'hot', 'warm', 'cold']);
  });

  it('drops what comes when five thousand wait', async () => {
    const queue = createBackgroundRefresh(1);
    queue.add('running', job('running'));
    for (let index = 0; index < 5_000; index++) queue.add(`waiting/${index}`, async () => undefined);
    queue.add('dropped', job('dropped'));
    await end('running');
    expect(started).toEqual(['running']);
  });

  it('starts nothing any more once it is closed', async () => {
    const queue = createBackgroundRefresh(1);
    queue.add('running', job('running'));
    queue.add('waiting', job('waiting'));
    queue.close();
    queue.add('late', job('late'));
    await end('running');
    expect(started).toEqual(['running']);
  });
});
