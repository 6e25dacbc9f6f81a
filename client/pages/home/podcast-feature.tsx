import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostMeta } from '#client/components/post-card/post-meta.tsx';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import * as en from '#shared/texts/en.ts';
import { articlePath } from '#shared/urls.ts';

/** Half of the dark band from 768px on. */
const PICTURE = {
  width: 700,
  widths: [300, 500, 700, 1000],
  sizes: '(min-width: 768px) 596px, calc(100vw - 32px)',
};

interface PodcastFeatureProps {
  title: string;
  /** Path of See More. */
  more: string;
  podcasts: readonly PostSummary[];
}

/** Renders the first podcast large on a dark band, the others as a list; `Loading...` without any (decisions). */
export function PodcastFeature({ title, more, podcasts }: PodcastFeatureProps) {
  const t = useTexts();
  const [featured, ...others] = podcasts;
  return (
    <section className="podcast-feature">
      <div className="page">
        <SectionHeading title={title} more={more} />
        {featured ? <Featured post={featured} others={others} /> : <p className="empty">{t(en.loading)}</p>}
      </div>
    </section>
  );
}

function Featured({ post, others }: { post: PostSummary; others: readonly PostSummary[] }) {
  const t = useTexts();
  return (
    <div className="podcast-feature-body">
      {post.image !== null && <ResponsiveImage image={post.image} alt={post.slug} {...PICTURE} />}
      <div className="podcast-feature-text">
        <h3 dir="auto">
          <a href={articlePath(post)} rel={post.sponsor && 'sponsored'}>
            {post.title}
          </a>
        </h3>
        {post.excerpt && (
          <p className="post-card-excerpt" dir="auto">
            {post.excerpt}
          </p>
        )}
        <PostMeta post={post} />
        <a
          href={articlePath(post)}
          rel={post.sponsor && 'sponsored'}
          className="button podcast-feature-watch"
        >
          {t(en.watchNow)}
          <span className="visually-hidden">: {post.title}</span>
        </a>
      </div>
      <ul className="podcast-feature-others">
        <KeyedList items={others}>
          {(other) => (
            <li>
              <a href={articlePath(other)} rel={other.sponsor && 'sponsored'} dir="auto">
                {other.title}
              </a>
              <PostMeta post={other} />
            </li>
          )}
        </KeyedList>
      </ul>
    </div>
  );
}
