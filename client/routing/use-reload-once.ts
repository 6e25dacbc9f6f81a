import { useEffect } from 'react';
import { ChunkError } from './load-chunk.ts';

const KEY = 'reloaded-for';

/**
 * Reloads the document after a `ChunkError`: a deploy may have removed the chunk. Once in a row for each URL, so that a page
 * that stays broken shows its error instead of reloading forever.
 */
export function useReloadOnce(error: unknown): void {
  useEffect(() => {
    if (!(error instanceof ChunkError)) return;
    if (isFirstReload(window.location.href)) window.location.reload();
  }, [error]);
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
