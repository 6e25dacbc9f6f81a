/**
 * Returns the share of the error budget that is left: 1 where nothing failed, 0 where exactly as much failed as the
 * objective allows over the same time, below 0 where more did. Null where nothing was counted.
 */
export function budgetLeft(level: number | null, objective: number): number | null {
  return level === null ? null : 1 - (1 - level) / (1 - objective);
}
