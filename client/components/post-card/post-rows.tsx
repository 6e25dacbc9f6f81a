import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { type CardImage, PostCard, type PostCardProps } from './post-card.tsx';

const THUMBNAIL: CardImage = { width: 200, widths: [150, 200, 300], sizes: '120px', ratio: '3/2' };

interface PostRowsProps extends Omit<PostCardProps, 'post' | 'layout'> {
  posts: readonly PostCardProps['post'][];
  className: string;
}

/** Renders posts as a list of rows, each with its image at the left. */
export function PostRows({ posts, className, ...card }: PostRowsProps) {
  return (
    <ul className={className}>
      <KeyedList items={posts}>
        {(post) => (
          <li>
            <PostCard post={post} layout="row" image={THUMBNAIL} {...card} />
          </li>
        )}
      </KeyedList>
    </ul>
  );
}
