import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostCard, type PostCardProps } from './post-card.tsx';

export interface PostRowsProps extends Omit<PostCardProps, 'post' | 'layout'> {
  posts: readonly PostCardProps['post'][];
  className: string;
}

/** Posts below each other, each with its picture at the left. */
export function PostRows({ posts, className, ...card }: PostRowsProps) {
  return (
    <ul className={className}>
      <KeyedList of={posts}>
        {(post) => (
          <li>
            <PostCard post={post} layout="row" {...card} />
          </li>
        )}
      </KeyedList>
    </ul>
  );
}
