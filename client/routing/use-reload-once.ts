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
    const url = window.location.href;
    if (sessionStorage.getItem(KEY) === url) return;
    sessionStorage.setItem(KEY, url);
    window.location.reload();
  }, [error]);
}
