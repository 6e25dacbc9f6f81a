/** The time that slow upstream calls may add to one response. What came in time is rendered. */
export interface Deadline {
  /** Resolves with the value, or with null if it fails or is late; `onMissed` is then called with the reason. */
  within<T>(loading: Promise<T>, onMissed: (reason: unknown) => void): Promise<T | null>;
}

/** Creates a deadline `ms` milliseconds from now. */
export function createDeadline(ms: number): Deadline {
  const end = performance.now() + ms;
  return {
    async within(loading, onMissed) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const remainingMs = Math.max(0, end - performance.now());
        timer = setTimeout(() => reject(new Error(`no value within ${ms} ms`)), remainingMs);
      });
      try {
        return await Promise.race([loading, late]);
      } catch (reason) {
        onMissed(reason);
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
