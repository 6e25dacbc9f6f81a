import * as en from '#shared/texts/en.ts';
/** Timeout of loading a page's chunk (specification, section 9). */
export const CHUNK_TIMEOUT_MS = 120_000;

/** A page's chunk failed to load. After a deploy it may no longer exist. */
export class ChunkError extends Error {
  constructor(cause: unknown) {
    super(en.partNotLoaded, { cause });
    this.name = 'ChunkError';
  }
}

/** Loads a page's module. Rejects with a `ChunkError` if that fails or takes longer than `CHUNK_TIMEOUT_MS`. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not loaded within ${CHUNK_TIMEOUT_MS} ms`)), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (cause) {
    throw new ChunkError(cause);
  } finally {
    clearTimeout(timer);
  }
}
