import type { PostSummary } from '#shared/models/post.ts';
import { PostCard } from '../post-card/post-card.tsx';
import './post-list.css';

export interface PostListProps {
  posts: readonly PostSummary[];
  /** The width asked for by browsers that know no `srcset`. */
  width?: number;
  withExcerpt?: boolean;
  /** A search's words, marked in headlines. */
  marked?: string;
}

/** A dense list: thumbnail, headline, author, date. */
export function PostList({ posts, width = 200, withExcerpt, marked }: PostListProps) {
  return (
    <ul className="post-list">
      {posts.map((post) => (
        <li key={post.id}>
          <PostCard
            post={post}
            layout="row"
            heading="h2"
            picture={{
              width,
              widths: [150, 200, 300, 500],
              sizes: '(min-width: 768px) 220px, 30vw',
              ratio: '3/2',
            }}
            {...(withExcerpt && { withExcerpt })}
            {...(marked && { marked })}
          />
        </li>
      ))}
    </ul>
  );
}
