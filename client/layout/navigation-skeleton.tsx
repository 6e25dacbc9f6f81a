import { type ReactNode, useEffect, useState } from 'react';
import { matchPath, useNavigation } from 'react-router';
import { ArticleSkeleton, ListSkeleton } from '#client/components/skeleton/skeleton.tsx';

/** A faster navigation shows no skeleton. */
const SHOW_AFTER_MS = 200;

/** Renders the page, or, while a navigation takes longer than `SHOW_AFTER_MS`, the skeleton of the next one. */
export function NavigationSkeleton({ children }: { children: ReactNode }) {
  const { state, location } = useNavigation();
  const loading = state === 'loading' && location !== undefined;
  /** Key of the location whose navigation is slow. */
  const [slow, setSlow] = useState<string | null>(null);
  const key = loading ? location.key : null;

  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => setSlow(key), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [key]);

  const pending = loading && slow === key;
  return (
    <>
      {pending && (isSinglePiece(location.pathname) ? <ArticleSkeleton /> : <ListSkeleton />)}
      {/* The current page stays mounted: the navigation may fail or be cancelled. */}
      <div hidden={pending}>{children}</div>
    </>
  );
}

/** Returns whether a path is that of an article or an event. */
function isSinglePiece(pathname: string): boolean {
  return matchPath('/:category/:slug', pathname) !== null && !/^\/(topic|tag)\//.test(pathname);
}
