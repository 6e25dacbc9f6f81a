import { describe, expect, it } from 'vitest';
import { coveringArray, pairsOf, type Row } from './covering-array.ts';

const PARAMETERS = [
  { name: 'A', values: ['0', '1', '2', '3'] },
  { name: 'B', values: ['0', '1', '2'] },
  { name: 'C', values: ['0', '1'] },
  { name: 'D', values: ['0', '1'] },
  { name: 'E', values: ['0', '1', '2'] },
];

const has = (row: Row, [name, value]: readonly [string, string]) => row[name] === value;

describe('a covering array', () => {
  it('has every pair of values together, in far fewer rows than all combinations', () => {
    const rows = coveringArray(PARAMETERS, () => true);
    for (const { first, second } of pairsOf(PARAMETERS))
      expect(rows.some((row) => has(row, first) && has(row, second))).toBe(true);
    expect(rows.length).toBeLessThanOrEqual(18);
    for (const row of rows) expect(Object.keys(row)).toHaveLength(PARAMETERS.length);
  });

  it('has no pair that is forbidden, and all others', () => {
    const rows = coveringArray(PARAMETERS, (row) => row['C'] === undefined || row['C'] !== row['D']);
    for (const row of rows) expect(row['C']).not.toBe(row['D']);
    const allowed = pairsOf(PARAMETERS).filter(
      ({ first, second }) => first[0] !== 'C' || second[0] !== 'D' || first[1] !== second[1],
    );
    for (const { first, second } of allowed)
      expect(rows.some((row) => has(row, first) && has(row, second))).toBe(true);
  });

  it('is the same in each run', () => {
    expect(coveringArray(PARAMETERS, () => true)).toEqual(coveringArray(PARAMETERS, () => true));
  });
});
