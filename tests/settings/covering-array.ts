/** One parameter of a covering array: its name and the names of its values. */
export interface Parameter {
  name: string;
  values: readonly string[];
}

/** A value for each parameter, by name. Partial while a row is being filled. */
export type Row = Readonly<Record<string, string>>;

/** Candidates for each row: more find fewer rows, and cost more. */
const CANDIDATES = 30;

interface Pair {
  first: readonly [name: string, value: string];
  second: readonly [name: string, value: string];
}

const keyOf = ({ first, second }: Pair): string => JSON.stringify([...first, ...second]);

/** Returns all pairs of values of different parameters, in the order of the parameters. */
export function pairsOf(parameters: readonly Parameter[]): Pair[] {
  return parameters.flatMap((one, index) =>
    parameters.slice(index + 1).flatMap((other) =>
      one.values.flatMap((value) =>
        other.values.map((otherValue) => ({
          first: [one.name, value] as const,
          second: [other.name, otherValue] as const,
        })),
      ),
    ),
  );
}

/**
 * Returns rows in which every allowed pair of values stands together at least once: a covering array of strength two,
 * found greedily (AETG, Cohen et al. 1997). `isAllowed` says of a partial row whether it may become a configuration; a
 * pair that it forbids stands in no row. The same parameters give the same rows. Throws where a row cannot be filled.
 */
export function coveringArray(
  parameters: readonly Parameter[],
  isAllowed: (row: Row) => boolean,
): Record<string, string>[] {
  const random = seededRandom();
  const open = new Map(
    pairsOf(parameters)
      .filter(({ first, second }) => isAllowed(Object.fromEntries([first, second])))
      .map((pair) => [keyOf(pair), pair]),
  );
  const rows: Record<string, string>[] = [];
  for (;;) {
    const [next] = open.values();
    if (next === undefined) return rows;
    const candidates = Array.from({ length: CANDIDATES }, () =>
      fillRow(parameters, next, open, isAllowed, random),
    ).filter((row) => row !== null);
    const [best] = candidates.toSorted((a, b) => covered(b, parameters, open) - covered(a, parameters, open));
    if (best === undefined) throw new Error(`no row can hold ${keyOf(next)}`);
    for (const pair of pairsOf(parameters)) if (holds(best, pair)) open.delete(keyOf(pair));
    rows.push(best);
  }
}

const holds = (row: Row, { first, second }: Pair): boolean =>
  row[first[0]] === first[1] && row[second[0]] === second[1];

function covered(row: Row, parameters: readonly Parameter[], open: ReadonlyMap<string, Pair>): number {
  return pairsOf(parameters).filter((pair) => holds(row, pair) && open.has(keyOf(pair))).length;
}

/** Returns a row that holds `pair`, each other value chosen for the open pairs that it covers; null where none is allowed. */
function fillRow(
  parameters: readonly Parameter[],
  { first, second }: Pair,
  open: ReadonlyMap<string, Pair>,
  isAllowed: (row: Row) => boolean,
  random: () => number,
): Record<string, string> | null {
  const row: Record<string, string> = Object.fromEntries([first, second]);
  const others = parameters
    .filter(({ name }) => !(name in row))
    .map((parameter) => ({ parameter, order: random() }))
    .toSorted((a, b) => a.order - b.order);
  const openPairs = [...open.values()];
  for (const { parameter } of others) {
    const choices = parameter.values
      .filter((value) => isAllowed({ ...row, [parameter.name]: value }))
      .map((value) => {
        const filled = { ...row, [parameter.name]: value };
        const gain = openPairs.filter((pair) => holds(filled, pair)).length;
        return { value, gain, order: random() };
      })
      .toSorted((a, b) => b.gain - a.gain || a.order - b.order);
    const [choice] = choices;
    if (choice === undefined) return null;
    row[parameter.name] = choice.value;
  }
  return row;
}

/** A linear congruential generator (Numerical Recipes): the rows are the same in each run. */
function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
