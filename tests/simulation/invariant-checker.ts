/** Something that must never be was seen. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, about: string) {
    super(`${invariant}: ${about}`);
    this.name = 'Violation';
    this.invariant = invariant;
  }
}

/** Takes note of whether an invariant holds. `about` is asked only where it does not. */
export type InvariantChecker<Invariant extends string> = (
  invariant: Invariant,
  holds: boolean,
  about: () => string,
) => void;

/**
 * Keeps the first violation, since what a part under test throws inside a promise might be swallowed there. `only`:
 * looks at this invariant alone, so that a mutant is caught by the one that it is meant for.
 */
export function createInvariantChecker<Invariant extends string>(only?: Invariant) {
  let first: Violation | null = null;
  const checker: InvariantChecker<Invariant> = (invariant, holds, about) => {
    if (holds || (only !== undefined && only !== invariant)) return;
    first ??= new Violation(invariant, about());
  };

  return {
    checker,
    /** Throws the first violation, if there was one. */
    pronounce(): void {
      if (first) throw first;
    },
  };
}
