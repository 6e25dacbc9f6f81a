import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import type { PostSummary } from '#shared/models/post.ts';
import { articlePath, topicPath } from '#shared/urls.ts';
import { PostMeta } from '../../components/post-card/post-meta.tsx';

/** Renders the first podcast large on a dark band, the others as a list; `Loading...` without any (decisions). */
export function PodcastFeature({ podcasts }: { podcasts: readonly PostSummary[] }) {
  const [featured, ...others] = podcasts;
  return (
    <section className="podcast-feature" aria-labelledby="podcasts">
      <div className="page">
        <div className="podcast-feature-head">
          <h2 id="podcasts">Podcasts</h2>
          <a href={topicPath(featured?.category ?? 'podcasts')} className="see-more">
            See More<span className="visually-hidden"> of Podcasts</span>
          </a>
        </div>
        {featured ? (
          <Featured post={featured} others={others} />
        ) : (
          <p className="podcast-feature-empty">Loading...</p>
        )}
      </div>
    </section>
  );
}

function Featured({ post, others }: { post: PostSummary; others: readonly PostSummary[] }) {
  return (
    <div className="podcast-feature-body">
      <div className="podcast-feature-image">
        <ResponsiveImage
          image={post.image}
          alt={post.slug}
          width={700}
          widths={[300, 500, 700, 1000]}
          sizes="(min-width: 768px) 620px, 100vw"
        />
      </div>
      <div className="podcast-feature-text">
        <h3>
          <a href={articlePath(post)}>{post.title}</a>
        </h3>
        {post.excerpt && <p className="podcast-feature-excerpt">{post.excerpt}</p>}
        <PostMeta post={post} />
        <a href={articlePath(post)} className="podcast-feature-watch">
          Watch Now<span className="visually-hidden">: {post.title}</span>
        </a>
      </div>
      <ul className="podcast-feature-others">
        <KeyedList items={others}>
          {(other) => (
            <li>
              <a href={articlePath(other)}>{other.title}</a>
              <PostMeta post={other} />
            </li>
          )}
        </KeyedList>
      </ul>
    </div>
  );
}
