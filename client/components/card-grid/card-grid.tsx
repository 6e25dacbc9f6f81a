import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { type CardImage, PostCard, type PostCardProps } from '#client/components/post-card/post-card.tsx';
import './card-grid.css';

/** Widths of `src` are those of the specification, section 9. `sizes`: for browsers that do not measure it themselves. */
const IMAGE: CardImage = {
  width: 500,
  widths: [200, 300, 500, 700, 1000],
  sizes: '(min-width: 768px) 400px, calc(100vw - 32px)',
};

interface CardGridProps extends Omit<PostCardProps, 'post' | 'layout' | 'className'> {
  posts: readonly PostCardProps['post'][];
  /** Beside something: at most two in a row. */
  narrow?: boolean;
  /** Returns the class of the card with an index. */
  cardClass?: (index: number) => string;
}

/** Renders posts as cards that fill their rows, whatever their number. */
export function CardGrid({ posts, narrow, cardClass, ...card }: CardGridProps) {
  return (
    <div className={narrow ? 'card-grid is-narrow' : 'card-grid'}>
      <KeyedList items={posts}>
        {(post, index) => <PostCard post={post} image={IMAGE} {...card} className={cardClass?.(index)} />}
      </KeyedList>
    </div>
  );
}
