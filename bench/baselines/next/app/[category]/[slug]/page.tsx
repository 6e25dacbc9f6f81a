import { notFound } from 'next/navigation';
import { article, srcSet } from '../../../demo-cms';
import { ask } from '../../ask';
import { Page, Section } from '../../parts';

export const revalidate = 60;

/** None at build time: each is made when it is first asked for, and kept. */
export function generateStaticParams() {
  return [];
}

export default async function Article({ params }: { params: Promise<{ category: string; slug: string }> }) {
  const { category, slug } = await params;
  const page = await article(ask, category, slug);
  if (!page) notFound();
  const { story, author } = page;
  return (
    <Page menus={page.menus}>
      <title>{story.title}</title>
      <meta name="description" content={story.excerpt} />
      <article className="article-main">
        <p className="kicker">{story.section}</p>
        <h1>{story.title}</h1>
        <p className="article-deck">{story.excerpt}</p>
        <p className="article-meta">
          By {story.author} | <time dateTime={story.date}>{story.date}</time> {story.minutes}
        </p>
        {story.image && (
          <img
            src={`${story.image}?width=1000`}
            srcSet={srcSet(story.image, [300, 500, 700, 1000, 1200])}
            sizes="(min-width: 1024px) 66vw, 100vw"
            alt={story.title}
            width={1000}
            height={667}
            fetchPriority="high"
          />
        )}
        <div className="rich-text" dangerouslySetInnerHTML={{ __html: page.bodyHtml }} />
        {author && (
          <section className="author-box">
            {author.photo && (
              <img
                src={`${author.photo}?width=300`}
                alt={author.name}
                width={300}
                height={300}
                loading="lazy"
              />
            )}
            <p>{author.name}</p>
            <p>{author.description}</p>
          </section>
        )}
      </article>
      <Section title="Related Content" stories={page.related} />
      <Section title="More from Martech Meridian" stories={page.latest} />
    </Page>
  );
}
