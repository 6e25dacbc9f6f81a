import fc from 'fast-check';
import { settle } from './simulated-clock.ts';

/**
 * A step, and the number of microtask turns before the next one, so that steps fall into the middle of others' effects.
 * Null: the next one waits until all effects have settled.
 */
export type Timed<Step> = Step & { turns: number | null };

/** Promise chains in the parts under test are hardly longer. */
const MAX_TURNS = 8;

/** Adds turns to generated steps: half of them settle, most of the others have no turn. */
export function timed<Step extends object>(step: fc.Arbitrary<Step>): fc.Arbitrary<Timed<Step>> {
  const turns = fc.option(fc.oneof(fc.constant(0), fc.nat(MAX_TURNS)), { freq: 1 });
  return fc.tuple(step, turns).map(([one, count]) => ({ ...one, turns: count }));
}

/** Waits for a step's turns. */
export async function takeTurns(turns: number | null): Promise<void> {
  if (turns === null) return settle();
  for (let turn = 0; turn < turns; turn++) await null;
}
