import { redirect, useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { FilterStrip } from '#client/components/filter-strip/filter-strip.tsx';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { centredWindow, Pagination } from '#client/components/pagination/pagination.tsx';
import { PostCard } from '#client/components/post-card/post-card.tsx';
import { PostList } from '#client/components/post-list/post-list.tsx';
import { revealClass, useReveal } from '#client/hooks/use-reveal.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { TopicPage } from '#shared/models/topic.ts';
import { sectionOf } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { capitalise, topicFeedPath, topicPath } from '#shared/urls.ts';
import './topic-page.css';

/** Specification, section 9: tabs outside More, posts shown large. */
const VISIBLE_TABS = 6;
const LARGE_COUNT = 3;

/** Three columns from 768px on, the first as wide as the other two. */
const CARD = {
  width: 500,
  widths: [200, 300, 500, 700, 1000],
  sizes: '(min-width: 1288px) 296px, (min-width: 768px) calc(25vw - 24px), calc(100vw - 32px)',
};
const LEAD = {
  ...CARD,
  sizes: '(min-width: 1288px) 592px, (min-width: 768px) calc(50vw - 36px), calc(100vw - 32px)',
  priority: true,
};

export const loader: PageLoader<TopicPage> = async ({ api, params, page }) => {
  const { category = '', subcategory = null } = params;
  const topic = await api.topic({ category, subcategory, page });
  if (topic.posts.length === 0) throw redirect('/no-posts');
  return topic;
};

/** Renders a topic's posts (specification, section 2, Topic listing). */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const { category, subcategory, posts, pagination, subcategories, ads } = useLoaderData<typeof loader>();
  // What is above the fold is revealed on mount, the rest on scroll.
  const reveal = useReveal(100);
  const { page } = pagination;
  const section = sectionOf(site.sections, category);
  const name = section?.titles?.topic ?? capitalise(category);
  const heading = [name, subcategory].filter((part) => part !== null).join(' ');
  const description = subcategory === null ? section?.description : undefined;
  return (
    <div className="page topic" data-section={category}>
      <PageHead
        title={heading}
        description={description ?? t(en.topicDescription, { heading, name: site.name })}
        page={page}
        path={topicPath(category, subcategory, page)}
        image={posts[0]?.image ?? null}
        feed={{ path: topicFeedPath(category), title: name }}
      />
      <header className={revealClass('topic-head', 1)}>
        <h1 dir="auto">{heading}</h1>
        {description && <p className="deck">{description}</p>}
        <a className="topic-feed" href={topicFeedPath(category)}>
          {t(en.rssFeed)}
        </a>
      </header>
      <div className={revealClass('topic-filter', 2)}>
        <FilterStrip
          label={t(en.subcategories)}
          heading={t(en.filter)}
          entries={subcategories.map(({ slug, name }) => ({ slug, name, href: topicPath(category, slug) }))}
          visibleCount={VISIBLE_TABS}
          current={subcategory}
        />
      </div>
      <div className={posts.length < LARGE_COUNT ? 'topic-large card-grid' : 'topic-large'}>
        <KeyedList items={posts.slice(0, LARGE_COUNT)}>
          {(post, index) => (
            <PostCard
              post={post}
              heading="h2"
              image={index === 0 ? LEAD : CARD}
              className={revealClass('topic-card', 3 + index)}
              withExcerpt
            />
          )}
        </KeyedList>
      </div>
      <div className="ad-beside">
        <div className={reveal('topic-list', 1)}>
          <PostList posts={posts.slice(LARGE_COUNT)} />
          <Pagination
            pagination={pagination}
            window={centredWindow}
            hrefOf={(number) => topicPath(category, subcategory, number)}
          />
        </div>
        <AdSlot slot="Post-1" ads={ads} />
      </div>
      <div className={reveal('topic-banner', 2)}>
        <AdSlot slot="Footer-3" ads={ads} />
      </div>
    </div>
  );
}
