/**
 * Whether every combination of a matrix of tests is taken, as CI does (`MATRIX=all`); elsewhere a part in which each value is
 * met, so that all tests end within minutes.
 */
export const TAKES_ALL = process.env['MATRIX'] === 'all';

/** Returns all items with `MATRIX=all`; elsewhere of every three the one at `place`: 0, 1 or 2. */
export function oneInThree<Item>(items: readonly Item[], place = 0): readonly Item[] {
  return TAKES_ALL ? items : items.filter((_, index) => index % 3 === place);
}

/** Returns all values with `MATRIX=all`; elsewhere the one whose turn it is, so that each is met among as many turns. */
export function inTurn<Value>(values: readonly Value[], turn: number): readonly Value[] {
  return TAKES_ALL ? values : values.filter((_, index) => index === turn % values.length);
}
