import { CardGrid } from '#client/components/card-grid/card-grid.tsx';
import { PostRows } from '#client/components/post-card/post-rows.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import { ROW } from './image-sizes.ts';

/** Renders articles as large cards, and a dense list with thumbnails at their right. */
export function Articles({ list, cards }: { list: readonly PostSummary[]; cards: readonly PostSummary[] }) {
  return (
    <div className="list-with-cards is-mirrored">
      <PostRows posts={list} className="list-with-cards-list" image={ROW} />
      <div className="list-with-cards-cards">
        <CardGrid posts={cards} narrow withExcerpt />
      </div>
    </div>
  );
}
