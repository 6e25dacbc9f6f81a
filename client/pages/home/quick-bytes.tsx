import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostCard } from '#client/components/post-card/post-card.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import { BRIEF } from './image-sizes.ts';

/** Renders quick bytes as a briefing: a list of headlines, and compact cards with thumbnails. */
export function QuickBytes({ list, cards }: { list: readonly PostSummary[]; cards: readonly PostSummary[] }) {
  return (
    <div className="list-with-cards is-briefing">
      <ul className="list-with-cards-list">
        <KeyedList items={list}>
          {(post) => (
            <li>
              <PostCard post={post} />
            </li>
          )}
        </KeyedList>
      </ul>
      <div className="list-with-cards-cards">
        <KeyedList items={cards}>
          {(post) => <PostCard post={post} layout="row" image={BRIEF} withExcerpt />}
        </KeyedList>
      </div>
    </div>
  );
}
