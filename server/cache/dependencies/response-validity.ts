/**
 * Returns for how many more milliseconds a response is valid, even if its data does not change; 0 or less once it is
 * not. Called on each request for the response, so it must be cheap.
 */
export type Validity = () => number;

/** Returns a validity between two times of the clock `now`, in milliseconds. It also ends if the clock is set back before `from`. */
export function validBetween(from: number, until: number, now: () => number): Validity {
  return () => {
    const at = now();
    return at < from ? 0 : until - at;
  };
}
