import fc from 'fast-check';
import { settle } from './simulated-clock.ts';

/**
 * A step, and how many turns of promises are taken before the next one, so that steps fall into the middle of what
 * others set off. Null: everything is over that needs no time.
 */
export type Timed<Step> = Step & { turns: number | null };

/** No chain of promises in the parts is much longer. */
const MOST_TURNS = 8;

/** Half of the steps settle; of the others, most are taken at once. */
export function timed<Step extends object>(step: fc.Arbitrary<Step>): fc.Arbitrary<Timed<Step>> {
  const turns = fc.option(fc.oneof(fc.constant(0), fc.nat(MOST_TURNS)), { freq: 1 });
  return fc.tuple(step, turns).map(([one, count]) => ({ ...one, turns: count }));
}

/** Takes the turns that a step asks for. */
export async function takeTurns(turns: number | null): Promise<void> {
  if (turns === null) return settle();
  for (let turn = 0; turn < turns; turn++) await null;
}
