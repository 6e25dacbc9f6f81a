import {
  ResponsiveImage,
  type ResponsiveImageProps,
} from '#client/components/responsive-image/responsive-image.tsx';
import type { PostHead } from '#shared/models/post.ts';
import { articlePath } from '#shared/urls.ts';
import { Highlight } from './highlight.tsx';
import { PostMeta } from './post-meta.tsx';
import { sectionName } from './section-name.ts';
import './post-card.css';

export interface PostCardProps {
  post: PostHead & { excerpt?: string | null };
  /** `lead`: the page's first story; `large`: picture above; `row`: picture at the left; `text`: no picture. */
  layout?: 'lead' | 'large' | 'row' | 'text';
  /** The headline's rank in the page's outline. */
  heading?: 'h2' | 'h3';
  picture?: Pick<ResponsiveImageProps, 'width' | 'widths' | 'sizes' | 'ratio' | 'priority'>;
  withExcerpt?: boolean;
  /** Text above the picture instead of below it. */
  reversed?: boolean;
  /** A search's words, marked in the headline and the excerpt. */
  marked?: string;
}

const DEFAULT_PICTURE = {
  width: 500,
  widths: [200, 300, 500, 700],
  sizes: '(min-width: 768px) 400px, 100vw',
};

/** A post as a card. The whole card is clickable; the headline is the link. */
export function PostCard({
  post,
  layout = 'large',
  heading = 'h3',
  picture,
  withExcerpt,
  reversed,
  marked,
}: PostCardProps) {
  const Heading = heading;
  return (
    <article
      className={`post-card post-card-${layout}${reversed ? ' post-card-reversed' : ''}`}
      data-section={post.category}
    >
      {layout !== 'text' && (
        <div className="post-card-picture">
          <ResponsiveImage image={post.image} alt={post.slug} {...DEFAULT_PICTURE} {...picture} />
          {post.hasVideo && <span className="post-card-play" aria-hidden="true" />}
        </div>
      )}
      <div>
        <p className="kicker">{sectionName(post.category)}</p>
        <Heading className="post-card-title">
          <a href={articlePath(post)}>
            <Words text={post.title} marked={marked} />
          </a>
        </Heading>
        {withExcerpt && post.excerpt && (
          <p className="post-card-excerpt">
            <Words text={post.excerpt} marked={marked} />
          </p>
        )}
        <PostMeta post={post} />
      </div>
    </article>
  );
}

function Words({ text, marked }: { text: string; marked: string | undefined }) {
  return marked === undefined ? text : <Highlight text={text} words={marked} />;
}
