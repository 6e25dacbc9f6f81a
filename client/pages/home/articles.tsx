import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostCard } from '#client/components/post-card/post-card.tsx';
import { PostRows } from '#client/components/post-card/post-rows.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import { ARTICLE, ROW } from './image-sizes.ts';

/** Renders articles as large cards, and a dense list with thumbnails at their right. */
export function Articles({ list, cards }: { list: readonly PostSummary[]; cards: readonly PostSummary[] }) {
  if (list.length === 0 && cards.length === 0) return <p className="empty">No Posts Available</p>;
  return (
    <div className="list-with-cards is-mirrored">
      <PostRows posts={list} className="list-with-cards-list" image={ROW} />
      <div className="list-with-cards-cards">
        <KeyedList items={cards}>{(post) => <PostCard post={post} image={ARTICLE} withExcerpt />}</KeyedList>
      </div>
    </div>
  );
}
