import { Logo } from '#client/components/logo/logo.tsx';
import { RecentPosts } from '../../components/recent-posts/recent-posts.tsx';

/** A search that found nothing: what may help, and recent articles to go to. */
export function NoResult() {
  return (
    <>
      <div className="search-none">
        <Logo />
        <p>Try fewer or other words, or look through the sections above.</p>
      </div>
      <RecentPosts />
    </>
  );
}
