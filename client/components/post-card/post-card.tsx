import {
  ResponsiveImage,
  type ResponsiveImageProps,
} from '#client/components/responsive-image/responsive-image.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import type { MenuItem, PostSummary } from '#shared/models/post.ts';
import { sectionName } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { articlePath } from '#shared/urls.ts';
import { Highlight } from './highlight.tsx';
import { PostMeta } from './post-meta.tsx';
import './post-card.css';

/** How a card asks for its image. */
export type CardImage = Pick<ResponsiveImageProps, 'width' | 'widths' | 'sizes' | 'ratio' | 'priority'>;

export interface PostCardProps {
  post: MenuItem & Partial<PostSummary>;
  /** `lead`: the page's first post; `large`: image above the text; `row`: image at the left. */
  layout?: 'lead' | 'large' | 'row';
  /** Heading level of the title. */
  heading?: 'h2' | 'h3';
  /** Absent: a card without an image. A post that has none is a card of text. */
  image?: CardImage;
  className?: string | undefined;
  withExcerpt?: boolean;
  /** Search words to highlight in title and excerpt. */
  highlight?: string;
}

/** Renders a post as a card. The title's link covers the whole card. */
export function PostCard({
  post,
  layout = 'large',
  heading: Heading = 'h3',
  image,
  className,
  withExcerpt,
  highlight,
}: PostCardProps) {
  const site = useSettings();
  const t = useTexts();
  const isText = image !== undefined && post.image === null;
  const classes = ['post-card', `post-card-${layout}`, isText && 'is-text', className];
  return (
    <article className={classes.filter(Boolean).join(' ')} data-section={post.category}>
      {image && post.image !== null && (
        <div className="post-card-image">
          <ResponsiveImage image={post.image} alt={post.slug} {...image} />
          {post.hasVideo && <span className="post-card-play" aria-hidden="true" />}
        </div>
      )}
      <div>
        <p className="kicker">
          {sectionName(site, post)}
          {post.sponsor && <span>{` ${t(en.sponsoredBy, { sponsor: post.sponsor })}`}</span>}
        </p>
        <Heading className="post-card-title" dir="auto">
          <a href={articlePath(post)} rel={post.sponsor && 'sponsored'}>
            <Highlight text={post.title} words={highlight} />
          </a>
        </Heading>
        {(withExcerpt || isText) && post.excerpt && (
          <p className="post-card-excerpt" dir="auto">
            <Highlight text={post.excerpt} words={highlight} />
          </p>
        )}
        <PostMeta post={{ ...post, sponsor: undefined }} />
      </div>
    </article>
  );
}
