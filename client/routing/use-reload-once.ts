import { useEffect } from 'react';
import { ChunkError } from './load-chunk.ts';

const KEY = 'reloaded-for';

/**
 * Reloads the document after a `ChunkError`: a deploy may have removed the chunk. Once in a row for each URL, so that a page
 * that stays broken shows its error instead of reloading forever; and only if the site responds, since a reload while
 * offline would replace the page by the browser's error.
 */
export function useReloadOnce(error: unknown): void {
  useEffect(() => {
    if (error instanceof ChunkError) void reloadOnce(window.location.href);
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
