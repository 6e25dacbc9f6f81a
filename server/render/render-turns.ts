/** Renders hold the event loop for milliseconds each: they take turns, so that what is cached goes out in between. */
export interface RenderTurns {
  /** Resolves when it is this render's turn: one for each turn of the event loop, in order. */
  take(): Promise<void>;
  /** How many renders wait. */
  waiting(): number;
}

/** Hands out turns. `later` runs its callback in the next turn of the event loop, after input and output. */
export function createRenderTurns(later: (work: () => void) => unknown = setImmediate): RenderTurns {
  const waiting: (() => void)[] = [];
  let handingOut = false;

  function next(): void {
    waiting.shift()?.();
    handingOut = waiting.length > 0;
    if (handingOut) later(next);
  }

  return {
    take() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (!handingOut) later(next);
      handingOut = true;
      return promise;
    },
    waiting: () => waiting.length,
  };
}
