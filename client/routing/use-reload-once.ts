import { useEffect } from 'react';
import { ChunkError } from './load-chunk.ts';

const KEY = 'reloaded-for';

/**
 * After a deploy the code of a page may be gone: then the whole document is asked for anew, once for each address, so
 * that a page that stays broken shows its failure instead of reloading for ever.
 */
export function useReloadOnce(error: unknown): void {
  useEffect(() => {
    if (!(error instanceof ChunkError)) return;
    const address = window.location.href;
    if (sessionStorage.getItem(KEY) === address) return;
    sessionStorage.setItem(KEY, address);
    window.location.reload();
  }, [error]);
}
