import fc from 'fast-check';
import { expect } from 'vitest';
import { Violation } from './invariant-checker.ts';

const USUAL_SEED = 20_260_301;

/**
 * The same worlds in each run of the tests. `WORLD_SEED` takes others, `WORLD_RUNS` that many of each kind, and
 * `WORLD_PATH` with the seed, and with the one test named (`-t`), goes straight to one that failed: fast-check prints
 * both.
 */
const SEED = Number(process.env['WORLD_SEED'] ?? USUAL_SEED);
const RUNS = process.env['WORLD_RUNS'];
const PATH = process.env['WORLD_PATH'];

/** A mutant that lives this long is not caught. */
const MUTANT_RUNS = 2_000;

/** For tests that go through many worlds: no test depends on speed. */
export const LONG_MS = 3_600_000;

/** Goes through `runs` worlds. Throws for the smallest one found that violates an invariant, with seed and path. */
export async function holdsInScenarios<Steps>(
  runs: number,
  steps: fc.Arbitrary<Steps>,
  live: (steps: Steps) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(steps, live), {
    seed: SEED,
    numRuns: RUNS === undefined ? runs : Number(RUNS),
    ...(PATH === undefined ? {} : { path: PATH }),
  });
}

/** Asserts that some world shows a mutant to violate the invariant. */
export async function isCaught<Steps>(
  invariant: string,
  steps: fc.Arbitrary<Steps>,
  live: (steps: Steps) => Promise<void>,
): Promise<void> {
  const { errorInstance } = await fc.check(fc.asyncProperty(steps, live), {
    seed: USUAL_SEED,
    numRuns: MUTANT_RUNS,
    endOnFailure: true,
  });
  expect(errorInstance).toBeInstanceOf(Violation);
  expect(errorInstance).toMatchObject({ invariant });
}
