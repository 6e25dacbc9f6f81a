import { type ReactNode, useEffect, useState } from 'react';
import { matchPath, useNavigation } from 'react-router';
import { ArticleSkeleton, ListSkeleton } from '#client/components/skeleton/skeleton.tsx';

/** A navigation that is done sooner shows nothing in between, in milliseconds. */
const SHOWN_AFTER_MS = 200;

/** The page, or, while a navigation takes its time, the shape of the page that is coming. */
export function NavigationSkeleton({ children }: { children: ReactNode }) {
  const { state, location } = useNavigation();
  const loading = state === 'loading' && location !== undefined;
  const [late, setLate] = useState(false);

  useEffect(() => {
    if (!loading) {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [loading]);

  const pending = loading && late;
  return (
    <>
      {pending && (isArticle(location.pathname) ? <ArticleSkeleton /> : <ListSkeleton />)}
      {/* The old page stays as it is: the navigation may fail or be taken back. */}
      <div hidden={pending}>{children}</div>
    </>
  );
}

function isArticle(pathname: string): boolean {
  return matchPath('/:category/:slug', pathname) !== null && !/^\/(topic|tag|events)\//.test(pathname);
}
