import fc from 'fast-check';
import { expect } from 'vitest';
import { DEFAULT_SEED } from '../property-seed.ts';
import { Violation } from './invariant-checker.ts';

/**
 * `SCENARIO_RUNS` sets the number of scenarios, and `SCENARIO_PATH`, together with `SCENARIO_SEED` and the one test
 * (`-t`), replays one that failed: fast-check prints both.
 */
const RUNS = process.env['SCENARIO_RUNS'];
const PATH = process.env['SCENARIO_PATH'];

/** A mutant that survives this many scenarios is not caught. */
const MUTANT_RUNS = 2_000;

/** Test timeout: no test depends on speed. */
export const LONG_MS = 3_600_000;

/** Runs `runs` scenarios. Rejects with the smallest failing one that was found, its seed and its path. */
export async function holdsInScenarios<Scenario>(
  runs: number,
  scenarios: fc.Arbitrary<Scenario>,
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(scenarios, run), {
    numRuns: RUNS === undefined ? runs : Number(RUNS),
    ...(PATH === undefined ? {} : { path: PATH }),
  });
}

/** Asserts that a scenario makes a mutant violate the invariant. */
export async function isCaught<Scenario>(
  invariant: string,
  scenarios: fc.Arbitrary<Scenario>,
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  const { errorInstance } = await fc.check(fc.asyncProperty(scenarios, run), {
    seed: DEFAULT_SEED,
    numRuns: MUTANT_RUNS,
    endOnFailure: true,
  });
  expect(errorInstance).toBeInstanceOf(Violation);
  expect(errorInstance).toMatchObject({ invariant });
}
