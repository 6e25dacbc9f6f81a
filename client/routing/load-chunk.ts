import { useEffect } from 'react';
import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';

/** Timeout of loading a page's chunk (specification, section 9). */
export const CHUNK_TIMEOUT_MS = 120_000;

/** A page's chunk failed to load. After a deploy it may no longer exist. */
export class ChunkError extends Error {
  constructor(cause: unknown) {
    super(en.partNotLoaded, { cause });
  }
}

/** Loads a page's module. Rejects with a `ChunkError` if that fails or takes longer than `CHUNK_TIMEOUT_MS`. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (cause) {
    throw new ChunkError(cause);
  } finally {
    clearTimeout(timer);
  }
}

const KEY = 'reloaded-for';

/**
 * Reloads the document after an error that the site did not report: a deploy may have removed the chunk, or changed the
 * data that this version renders. Once in a row for each URL, so that a page that stays broken shows its error instead of
 * reloading forever; and only if the site responds, since a reload while offline would replace the page by the browser's
 * error.
 */
export function useReloadOnce(error: unknown): void {
  useEffect(() => {
    if (!(error instanceof SiteError)) void reloadOnce(window.location.href);
  }, [error]);
}

async function reloadOnce(url: string): Promise<void> {
  if ((await isReachable(url)) && isFirstReload(url)) window.location.reload();
}

/** Returns whether the site responds, with whatever status. */
export async function isReachable(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}

/** False where the browser denies storage: nothing would end the reloads. */
function isFirstReload(url: string): boolean {
  try {
    if (sessionStorage.getItem(KEY) === url) return false;
    sessionStorage.setItem(KEY, url);
    return true;
  } catch {
    return false;
  }
}
