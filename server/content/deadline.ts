/** The time a page may be held by slow upstream calls. What came in time is drawn. */
export interface Deadline {
  /** The answer if it comes in time, else null; also null when it fails. `missed` is called in both cases. */
  within<T>(response: Promise<T>, missed: (reason: unknown) => void): Promise<T | null>;
}

/** A deadline that runs from now, in milliseconds. */
export function createDeadline(
  ms: number,
  clock: () => number = performance.now.bind(performance),
): Deadline {
  const end = clock() + ms;
  return {
    async within(response, missed) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`not there within ${ms} ms`)), Math.max(0, end - clock()));
      });
      try {
        return await Promise.race([response, late]);
      } catch (reason) {
        missed(reason);
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
