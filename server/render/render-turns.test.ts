import { describe, expect, it } from 'vitest';
import { createRenderTurns } from './render-turns.ts';

function setUp() {
  const loop: (() => void)[] = [];
  const turns = createRenderTurns((work) => loop.push(work));
  const order: string[] = [];
  return {
    turns,
    order,
    render: (name: string) => void turns.take().then(() => order.push(name)),
    /** One turn of the event loop. */
    turn: async () => {
      for (const work of loop.splice(0)) work();
      await Promise.resolve();
    },
  };
}

describe('renders', () => {
  it('take turns: one for each turn of the event loop, in order', async () => {
    const { turns, order, render, turn } = setUp();
    for (const name of ['first', 'second', 'third']) render(name);
    expect(turns.waiting()).toBe(3);
    await turn();
    expect(order).toEqual(['first']);
    await turn();
    render('fourth');
    for (let left = 0; left < 5; left++) await turn();
    expect(order).toEqual(['first', 'second', 'third', 'fourth']);
    expect(turns.waiting()).toBe(0);
  });

  it('begin again after a pause', async () => {
    const { order, render, turn } = setUp();
    render('first');
    await turn();
    await turn();
    render('second');
    await turn();
    expect(order).toEqual(['first', 'second']);
  });
});
