import fc from 'fast-check';

export const DEFAULT_SEED = 20_260_301;

/** Every test run generates the same cases; `SCENARIO_SEED` generates others. */
fc.configureGlobal({ seed: Number(process.env['SCENARIO_SEED'] ?? DEFAULT_SEED) });
