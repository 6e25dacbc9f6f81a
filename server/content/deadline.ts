/**
 * Creates a deadline `ms` milliseconds from now: the time that slow upstream calls may add to one response. Returns a
 * function that resolves with a value, or with null if it fails or is late; `onMissed` is then called with the reason.
 */
export function createDeadline(ms: number) {
  const end = performance.now() + ms;
  return async <T>(loading: Promise<T>, onMissed: (reason: unknown) => void): Promise<T | null> => {
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
  };
}
