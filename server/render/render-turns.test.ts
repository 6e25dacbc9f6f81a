import { describe, expect, it } from 'vitest';
import { createRenderTurns } from './render-turns.ts';

/** How long each render takes, in milliseconds. */
const RENDER_MS = 8;

function setUp() {
  const loop: (() => void)[] = [];
  const timers: { at: number; work: () => void }[] = [];
  let now = 0;
  const turns = createRenderTurns({
    later: (work) => loop.push(work),
    after: (ms, work) => timers.push({ at: now + ms, work }),
    clock: () => now,
  });
  const order: string[] = [];
  return {
    turns,
    order,
    render(name: string): void {
      void turns.take().then(() => {
        order.push(name);
        now += RENDER_MS;
      });
    },
    /** One turn of the event loop, a millisecond later. */
    async turn(): Promise<void> {
      now++;
      const due = timers.filter(({ at }) => at <= now);
      for (const timer of due) timers.splice(timers.indexOf(timer), 1);
      for (const work of [...due.map((timer) => timer.work), ...loop.splice(0)]) work();
      await Promise.resolve();
    },
  };
}

describe('renders', () => {
  it('begin at once where nobody waits, also after a pause', async () => {
    const { order, render, turn } = setUp();
    render('first');
    await turn();
    expect(order).toEqual(['first']);
    for (let left = 0; left < 3; left++) await turn();
    render('second');
    await turn();
    expect(order).toEqual(['first', 'second']);
  });

  it('take turns in order', async () => {
    const { turns, order, render, turn } = setUp();
    for (const name of ['first', 'second', 'third']) render(name);
    expect(turns.waiting()).toBe(3);
    for (let left = 0; left < 100; left++) await turn();
    expect(order).toEqual(['first', 'second', 'third']);
    expect(turns.waiting()).toBe(0);
  });

  it('that wait leave the loop to others for as long as the one before took', async () => {
    const { order, render, turn } = setUp();
    render('first');
    render('second');
    await turn();
    for (let left = 0; left < RENDER_MS; left++) {
      await turn();
      expect(order).toEqual(['first']);
    }
    for (let left = 0; left < 3; left++) await turn();
    expect(order).toEqual(['first', 'second']);
  });
});
