import { useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { CardGrid } from '#client/components/card-grid/card-grid.tsx';
import { Carousel } from '#client/components/carousel/carousel.tsx';
import { PostCard } from '#client/components/post-card/post-card.tsx';
import { PostRows } from '#client/components/post-card/post-rows.tsx';
import { useReveal } from '#client/hooks/use-reveal.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { TagPage } from '#shared/models/tag.ts';
import { sectionOf } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { capitalise, tagPath, topicPath } from '#shared/urls.ts';
import { CategoryMenu, SECTION_IDS, titleOf } from './category-menu.tsx';
import './tag-page.css';
import type { ReactNode } from 'react';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import type { PostSummary } from '#shared/models/post.ts';

/** Specification, section 9. `sizes`: for browsers that do not measure it themselves. */
const GUEST = {
  width: 500,
  widths: [200, 300, 500],
  sizes: '(min-width: 1024px) 295px, (min-width: 640px) calc(50vw - 26px), calc(100vw - 32px)',
  ratio: '3/2',
} as const;

/** Length of the side list (decisions). */
const SIDE_LIST_LENGTH = 7;

export const loader: PageLoader<TagPage> = ({ api, params: { subcategory = '' } }) =>
  api.tag({ subcategory });

/** Renders the posts of a sub-category by section (specification, section 2, Tag listing), in the order given there. */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const tag = useLoaderData<typeof loader>();
  const reveal = useReveal(100);
  const heading = capitalise(tag.subcategory);
  const hasAd = site.ads.frame !== null || tag.ads.some(({ slot }) => slot === 'Post-1');
  return (
    // The key resets the carousel with the tag.
    <div key={tag.subcategory} className="page tag">
      <PageHead
        title={heading}
        description={t(en.tagDescription, { heading, name: site.name })}
        {...(tag.isKnown ? { path: tagPath(tag.subcategory) } : { noIndex: true })}
        image={[...tag.news, ...tag.articles][0]?.image ?? null}
      />
      <header className={reveal('tag-heading', 1)}>
        {tag.name !== null && (
          <p className="kicker" dir="auto">
            {tag.name}
          </p>
        )}
        <h1 dir="auto">{heading}</h1>
      </header>
      <CategoryMenu />
      <TagSection section="news" posts={tag.news} />
      <TagSection section="featured" posts={tag.articles}>
        <div className="tag-split">
          <PostRows posts={tag.articles.slice(0, SIDE_LIST_LENGTH)} className="tag-rows" />
          <CardGrid posts={tag.articles.slice(SIDE_LIST_LENGTH)} narrow withExcerpt />
        </div>
      </TagSection>
      <div className="ad-beside tag-beside">
        <TagSection section="quickbytes" posts={tag.quickBytes}>
          <CardGrid posts={tag.quickBytes} narrow={hasAd} withExcerpt />
        </TagSection>
        <AdSlot slot="Post-1" ads={tag.ads} />
      </div>
      <div className={reveal('tag-banner', 1)}>
        <AdSlot slot="Footer-3" ads={tag.ads} />
      </div>
      <TagSection section="podcasts" posts={tag.podcasts} />
      <TagSection section="interview" posts={tag.hotSeats}>
        <CardGrid posts={tag.hotSeats} />
      </TagSection>
      {tag.futureReady.length > 0 && <TagSection section="future-ready" posts={tag.futureReady} />}
      <TagSection section="guest-author" posts={tag.guestAuthors}>
        <Carousel label={sectionOf(site.sections, 'guest-author')?.label ?? ''} posts={tag.guestAuthors}>
          {(post) => <PostCard post={post} image={GUEST} />}
        </Carousel>
      </TagSection>
      <TagSection section="learning-center" posts={tag.learningCenter} />
      <div className={reveal('tag-banner', 2)}>
        <AdSlot slot="Footer-3" ads={tag.ads} />
      </div>
    </div>
  );
}

interface TagSectionProps {
  /** Category slug: decides whether the site has it, the id, the label, the tint and the target of See More. */
  section: keyof typeof SECTION_IDS;
  posts: readonly PostSummary[];
  /** Absent: the posts as cards with their excerpts. */
  children?: ReactNode;
}

/** Renders a section of a tag page, with a text where it is empty (specification, section 2). */
function TagSection({ section, posts, children = <CardGrid posts={posts} withExcerpt /> }: TagSectionProps) {
  const t = useTexts();
  const found = sectionOf(useSettings().sections, section);
  if (!found) return null;
  return (
    <section id={SECTION_IDS[section]} className="tag-section">
      <SectionHeading
        title={titleOf(found)}
        section={section}
        more={topicPath(posts[0]?.category ?? section)}
      />
      {posts.length > 0 ? children : <p className="empty">{t(en.noPosts)}</p>}
    </section>
  );
}
