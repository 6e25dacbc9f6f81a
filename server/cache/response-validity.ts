/**
 * Returns for how many more milliseconds a response is right while its data stay the same; 0 or less once it is not.
 * Asked at each request for the response, so it must be cheap.
 */
export type Validity = () => number;

/** A validity from one instant to another, in milliseconds of the clock `now`. A clock set back before `from` ends it. */
export function validBetween(from: number, until: number, now: () => number): Validity {
  return () => {
    const at = now();
    return at < from ? 0 : until - at;
  };
}
