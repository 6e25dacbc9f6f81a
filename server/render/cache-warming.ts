import PQueue from 'p-queue';

/** A start must leave the upstream and the event loop to readers who come at once. */
const MAX_CONCURRENT_PAGES = 4;

/**
 * Renders pages after a start, in the order given: data of theirs that went stale meanwhile is loaded before anybody
 * waits for it. A page that fails is left to its next reader. Starts no more once `signal` is aborted.
 */
export async function warmResponseCache(
  targets: readonly string[],
  render: (target: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const queue = new PQueue({ concurrency: MAX_CONCURRENT_PAGES });
  await Promise.allSettled(targets.map((target) => queue.add(() => render(target), { signal })));
}
