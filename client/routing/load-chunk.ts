/** How long a page's code may take to arrive before the navigation is given up (specification, section 9). */
export const CHUNK_TIMEOUT_MS = 120_000;

/** A page's code did not arrive: after a deploy it may be gone for good. */
export class ChunkError extends Error {
  constructor(cause: unknown) {
    super('The code of this page could not be loaded.', { cause });
    this.name = 'ChunkError';
  }
}

/** Loads a page's module. Rejects with a `ChunkError` when that fails or takes longer than `timeoutMs`. */
export async function loadChunk<T>(load: () => Promise<T>, timeoutMs: number = CHUNK_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (cause) {
    throw new ChunkError(cause);
  } finally {
    clearTimeout(timer);
  }
}
