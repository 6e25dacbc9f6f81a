import type { PostSummary } from '#shared/models/post.ts';
import { PostRows } from '../post-card/post-rows.tsx';
import './post-list.css';

const THUMBNAIL = {
  width: 200,
  widths: [150, 200, 300, 500],
  sizes: '(min-width: 480px) 200px, 30vw',
  ratio: '3/2',
} as const;

export interface PostListProps {
  posts: readonly PostSummary[];
  /** The one width that thumbnails are asked for; chosen by the browser when absent. */
  width?: number;
  withExcerpt?: boolean;
  /** A search's words, marked in headlines. */
  marked?: string;
}

/** A dense list: thumbnail, headline, author, date. */
export function PostList({ posts, width, withExcerpt, marked }: PostListProps) {
  return (
    <PostRows
      posts={posts}
      className="post-list"
      heading="h2"
      picture={width === undefined ? THUMBNAIL : { width, widths: [], ratio: '3/2' }}
      {...(withExcerpt && { withExcerpt })}
      {...(marked && { marked })}
    />
  );
}
