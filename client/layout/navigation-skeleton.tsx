import { type ReactNode, useEffect, useState } from 'react';
import { matchPath, useNavigation } from 'react-router';
import { ArticleSkeleton, ListSkeleton } from '#client/components/skeleton/skeleton.tsx';

/** A faster navigation shows no skeleton. */
const SHOW_AFTER_MS = 200;

/** Renders the page, or, while a navigation takes longer than `SHOW_AFTER_MS`, the skeleton of the next one. */
export function NavigationSkeleton({ children }: { children: ReactNode }) {
  const { state, location } = useNavigation();
  const loading = state === 'loading' && location !== undefined;
  const [slow, setSlow] = useState(false);

  useEffect(() => {
    if (!loading) {
      setSlow(false);
      return;
    }
    const timer = setTimeout(() => setSlow(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [loading]);

  const pending = loading && slow;
  return (
    <>
      {pending && (isArticle(location.pathname) ? <ArticleSkeleton /> : <ListSkeleton />)}
      {/* The current page stays mounted: the navigation may fail or be cancelled. */}
      <div hidden={pending}>{children}</div>
    </>
  );
}

function isArticle(pathname: string): boolean {
  return matchPath('/:category/:slug', pathname) !== null && !/^\/(topic|tag|events)\//.test(pathname);
}
