import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import { PostCard } from '../../components/post-card/post-card.tsx';
import { PostRows } from '../../components/post-card/post-rows.tsx';

/** Image of the home page's cards. Specification, section 9: 500 wide from 768px on, else 200. */
export const CARD = { width: 500, widths: [200, 300, 500], sizes: '(min-width: 768px) 500px, 200px' };

interface ListWithCardsProps {
  list: readonly PostSummary[];
  cards: readonly PostSummary[];
  /** Puts the list at the right. */
  mirrored?: boolean;
}

/** Renders a side list and a grid of cards. */
export function ListWithCards({ list, cards, mirrored }: ListWithCardsProps) {
  if (list.length === 0 && cards.length === 0) return <p className="empty">No Posts Available</p>;
  return (
    <div className={`list-with-cards${mirrored ? ' is-mirrored' : ''}`}>
      <PostRows
        posts={list}
        className="list-with-cards-list"
        image={{ width: 200, widths: [150, 200, 300], sizes: '140px', ratio: '3/2' }}
      />
      <div className="list-with-cards-cards">
        <KeyedList items={cards}>{(post) => <PostCard post={post} image={CARD} withExcerpt />}</KeyedList>
      </div>
    </div>
  );
}
