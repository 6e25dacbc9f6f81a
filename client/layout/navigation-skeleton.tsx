import type { ReactNode } from 'react';
import { matchPath, useNavigation } from 'react-router';
import { useElapsed } from '#client/hooks/use-elapsed.ts';
import './navigation-skeleton.css';

/** An article that is there sooner shows no skeleton (ms). */
const SKELETON_AFTER_MS = 400;

/**
 * Renders the page, and while a navigation loads the next one a line at the top of the window. The page stays readable
 * until then; the skeleton of an article or event covers it after `SKELETON_AFTER_MS`, and leaves its scroll position.
 */
export function NavigationSkeleton({ children }: { children: ReactNode }) {
  // Undefined while nothing loads.
  const { location } = useNavigation();
  const key = location && isSinglePiece(location.pathname) ? location.key : null;
  const isCovered = useElapsed(key, SKELETON_AFTER_MS);
  return (
    <>
      {location && <div className="navigation-progress" />}
      {isCovered && (
        <div className="navigation-skeleton">
          <ArticleSkeleton />
        </div>
      )}
      {/* The current page stays mounted: the navigation may fail or be superseded. */}
      <div inert={isCovered}>{children}</div>
    </>
  );
}

/** Returns whether a path is that of an article or an event. */
function isSinglePiece(pathname: string): boolean {
  return matchPath('/:category/:slug', pathname) !== null && !/^\/(topic|tag|author)\//.test(pathname);
}

function ArticleSkeleton() {
  return (
    <div className="page article-skeleton" aria-hidden="true">
      <span className="skeleton-kicker" />
      <span className="skeleton-title" />
      <span className="skeleton-image" />
      <span />
      <span />
      <span />
    </div>
  );
}
