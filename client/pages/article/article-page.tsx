import { redirect, useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { SmallAuthorPhoto } from '#client/components/author-photo/author-photo.tsx';
import { PostCard } from '#client/components/post-card/post-card.tsx';
import { PostRows } from '#client/components/post-card/post-rows.tsx';
import { ResponsiveImage } from '#client/components/responsive-image/responsive-image.tsx';
import { RichText } from '#client/components/rich-text/rich-text.tsx';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import { Share, ShareRow } from '#client/components/share/share.tsx';
import { Video } from '#client/components/video/video.tsx';
import { useReveal } from '#client/hooks/use-reveal.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { SubscribeLink } from '#client/layout/subscribe-link.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { Article, ArticlePage } from '#shared/models/article.ts';
import { sectionName } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { articlePath, topicPath } from '#shared/urls.ts';
import { AuthorBox } from './author-box.tsx';
import { Byline } from './byline.tsx';
import { ContentsList } from './contents-list.tsx';
import './article-page.css';

const MORE = {
  width: 500,
  widths: [200, 300, 500],
  sizes: '(min-width: 1024px) 160px, 110px',
  ratio: '3/2',
} as const;

export const loader: PageLoader<ArticlePage> = async ({ api, params: { category = '', slug = '' } }) => {
  const page = await api.article({ category, slug });
  const { article } = page;
  // The upstream knows it under another slug or category: an old link, or one of several categories.
  if (article.category !== category || article.slug !== slug) throw redirect(articlePath(article), 301);
  return page;
};

/** Renders an article (specification, section 2, Article page). */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const { article, author, authorPage, latest, related, ads } = useLoaderData<typeof loader>();
  const [next] = related;
  const path = articlePath(article);
  // The specification names another class than `loaded` for this page (section 4).
  const reveal = useReveal(100, 'loaded1');
  return (
    // The key resets component state (an open list, a playing video) with the article.
    <div key={path} className="page article" data-section={article.category}>
      <PageHead
        title={article.title}
        description={article.description ?? article.title}
        path={path}
        image={article.image}
        type="article"
        publishedAt={article.publishedAt}
        author={article.author}
        keywords={article.keywords}
      />
      <article className="article-main">
        <div className="reading-progress" aria-hidden="true" />
        <header className="article-head">
          <p className="kicker">
            <a href={topicPath(article.category)}>{sectionName(site, article)}</a>
            {article.sponsor && <span>{` ${t(en.sponsoredBy, { sponsor: article.sponsor })}`}</span>}
          </p>
          <h1 dir="auto">{article.title}</h1>
          {article.deck && (
            <p className="deck article-deck" dir="auto">
              {article.deck}
            </p>
          )}
          <div className="meta-bar">
            <p className="article-facts">
              {author?.photo && <SmallAuthorPhoto photo={author.photo} />}
              <Byline article={article} authorPage={authorPage} />
              {article.readingMinutes !== null && (
                <span className="article-reading">
                  {t(en.minutesToRead, { minutes: article.readingMinutes })}
                </span>
              )}
            </p>
            <Share path={path} title={article.title} />
          </div>
        </header>
        <LeadImage article={article} />
        <div className="article-rail">
          <ContentsList headings={article.headings} />
          <div className="article-ad">
            <AdSlot slot="Post-1" ads={ads} />
          </div>
          {related.length > 0 && (
            <aside className={reveal('article-side', 1)} aria-label={t(en.relatedContent)}>
              <SectionHeading
                title={t(en.relatedContent)}
                section={article.category}
                more={topicPath(article.category)}
              />
              <PostRows posts={related} className="article-list" />
            </aside>
          )}
        </div>
        <div className="article-text">
          <RichText html={article.bodyHtml} />
          <ShareRow path={path} title={article.title} />
          {author && <AuthorBox author={author} page={authorPage} />}
          <div className="article-end">
            {next && (
              <nav className="article-next" aria-label={t(en.readNext)}>
                <p aria-hidden="true">{t(en.readNext)}</p>
                <PostCard post={next} heading="h2" />
              </nav>
            )}
            <p>
              <a href={topicPath(article.category)}>{t(en.allOf, { section: sectionName(site, article) })}</a>
            </p>
            <p>
              {site.newsletter.replace(/:.*|\.$/s, '')}. <SubscribeLink />
            </p>
          </div>
        </div>
      </article>
      {latest.length > 0 && (
        <section className={reveal('article-more', 2)}>
          <SectionHeading title={t(en.moreFrom, { product: site.product })} />
          <PostRows posts={latest} className="article-more-list" image={MORE} />
        </section>
      )}
      <div className={reveal('article-foot', 3)}>
        <AdSlot slot="Footer-3" ads={ads} />
      </div>
    </div>
  );
}

function LeadImage({ article: { video, banner, slug, title, image } }: { article: Article }) {
  if (video) return <Video video={video} title={title} poster={image} />;
  if (banner === null) return null;
  return (
    <ResponsiveImage
      image={banner}
      alt={slug}
      width={1000}
      widths={[300, 500, 700, 1000, 1200]}
      sizes="(min-width: 1080px) 1032px, calc(100vw - 2rem)"
      ratio="3/2"
      priority
    />
  );
}
