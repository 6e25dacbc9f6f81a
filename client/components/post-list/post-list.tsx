import { PostRows } from '#client/components/post-card/post-rows.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import './post-list.css';

const THUMBNAIL = {
  width: 200,
  widths: [150, 200, 300, 500],
  sizes: '(min-width: 480px) 200px, 30vw',
  ratio: '3/2',
} as const;

interface PostListProps {
  posts: readonly PostSummary[];
  /** Width of `src` in pixels. Images of an image host then get no `srcset`; those of this origin always have one. */
  width?: number;
  /** Search words to highlight. */
  highlight?: string;
}

/** Renders a dense list of posts: thumbnail, title, excerpt, author, date. */
export function PostList({ width, ...list }: PostListProps) {
  return (
    <PostRows
      className="post-list"
      heading="h2"
      image={width === undefined ? THUMBNAIL : { ...THUMBNAIL, width, widths: [] }}
      withExcerpt
      {...list}
    />
  );
}
