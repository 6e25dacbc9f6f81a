import { Logo } from '#client/components/logo/logo.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';

/** Renders the empty state of a search: a hint and recent articles. */
export function NoResult() {
  return (
    <>
      <div className="status-page search-none">
        <Logo />
        <p>Try fewer or other words, or look through the sections above.</p>
      </div>
      <RecentPosts />
    </>
  );
}
