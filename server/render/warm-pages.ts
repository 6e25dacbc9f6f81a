/** A start must leave the upstream and the event loop to readers who come at once. */
const AT_ONCE = 4;

/**
 * Makes pages after a start, in the order given, a few at a time: data of theirs that went stale meanwhile is asked
 * for before anybody waits for it. One that cannot be made is left to its next reader. Ends early when `signal` does.
 */
export async function warmPages(
  targets: readonly string[],
  make: (target: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const waiting = targets.values();
  async function makeNext(): Promise<void> {
    for (const target of waiting) {
      if (signal.aborted) return;
      await make(target).catch(() => undefined);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, makeNext));
}
