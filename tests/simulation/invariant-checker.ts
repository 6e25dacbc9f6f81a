/** An invariant did not hold. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(`${invariant}: ${detail}`);
    this.name = 'Violation';
    this.invariant = invariant;
  }
}

/** Records a violation unless `holds`. Calls `detail` only then. */
export type InvariantChecker<Invariant extends string> = (
  invariant: Invariant,
  holds: boolean,
  detail: () => string,
) => void;

/**
 * Creates a checker that keeps the first violation: an error thrown inside a promise of the part under test might be
 * swallowed there. `only`: checks this invariant alone, so that a mutant is caught by the one that is meant to.
 */
export function createInvariantChecker<Invariant extends string>(only?: Invariant) {
  let first: Violation | null = null;
  const check: InvariantChecker<Invariant> = (invariant, holds, detail) => {
    if (holds || (only !== undefined && only !== invariant)) return;
    first ??= new Violation(invariant, detail());
  };

  return {
    check,
    /** Throws the first violation, if there was one. */
    throwFirst(): void {
      if (first) throw first;
    },
  };
}
