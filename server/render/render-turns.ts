/** Renders hold the event loop for milliseconds each: they take turns, so that what is cached goes out in between. */
export interface RenderTurns {
  /** Resolves when it is this render's turn, in order. */
  take(): Promise<void>;
  /** How many renders wait. */
  waiting(): number;
}

/** What is cached has the loop to itself for as long as the render before took, and no longer than this, in milliseconds. */
const LONGEST_REST_MS = 50;

/** `later`: runs in the next turn of the event loop, after input and output; `after`: in so many milliseconds. */
export interface RenderTurnsOptions {
  later?: (work: () => void) => unknown;
  after?: (ms: number, work: () => void) => unknown;
  /** Monotonic milliseconds. */
  clock?: () => number;
}

/** Hands out turns: at once where nobody waits, and while some do, half of the loop's time is for everything else. */
export function createRenderTurns({
  later = setImmediate,
  after = (ms, work) => setTimeout(work, ms),
  clock = () => performance.now(),
}: RenderTurnsOptions = {}): RenderTurns {
  const waiting: (() => void)[] = [];
  let handingOut = false;

  function next(): void {
    const began = clock();
    waiting.shift()?.();
    // The render goes on in this turn of the loop, so that the next one knows how long it took.
    later(() => rest(clock() - began));
  }

  function rest(tookMs: number): void {
    handingOut = waiting.length > 0;
    if (handingOut) after(Math.min(tookMs, LONGEST_REST_MS), next);
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
