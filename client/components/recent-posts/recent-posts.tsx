import { useRouteLoaderData } from 'react-router';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostCard } from '#client/components/post-card/post-card.tsx';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import type { Navigation } from '#shared/models/navigation.ts';
import './recent-posts.css';

/** One row on a desktop. */
const POST_COUNT = 4;

/** As many columns of at least 240 pixels as there is room for (`recent-posts.css`). */
const IMAGE = {
  width: 300,
  widths: [200, 300, 500],
  sizes:
    '(min-width: 1288px) 293px, (min-width: 1080px) calc(25vw - 29px), (min-width: 816px) calc(33.4vw - 32px), (min-width: 528px) calc(50vw - 24px), calc(100vw - 32px)',
};

/** Renders the newest posts of the menus, for pages without content of their own. */
export function RecentPosts() {
  const navigation = useRouteLoaderData<Navigation>('root');
  const items =
    navigation?.menus.flatMap(({ columns }) => columns.flatMap((column) => column.items.slice(0, 1))) ?? [];
  const posts = items
    .slice(0, POST_COUNT)
    .map((item) => ({ ...item, readingMinutes: null, hasVideo: false }));
  if (posts.length === 0) return null;
  return (
    <section className="recent-posts">
      <SectionHeading title="Recent articles" />
      <div>
        <KeyedList items={posts}>{(post) => <PostCard post={post} image={IMAGE} />}</KeyedList>
      </div>
    </section>
  );
}
