import { useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { Carousel } from '#client/components/carousel/carousel.tsx';
import { type CardImage, PostCard } from '#client/components/post-card/post-card.tsx';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import { useReveal } from '#client/hooks/use-reveal.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { Home } from '#shared/models/home.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { Section } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { topicPath } from '#shared/urls.ts';
import { PodcastFeature } from './podcast-feature.tsx';
import './home-page.css';
import { CardGrid } from '#client/components/card-grid/card-grid.tsx';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostRows } from '#client/components/post-card/post-rows.tsx';
import { Sidebar } from '#client/components/sidebar/sidebar.tsx';

/** Specification, section 9: widths of the top stories' `srcset`. */
const TOP_WIDTHS = [150, 300, 500, 700, 1000, 1200];
/** Specification, section 9: 500 wide from 768px on, else 200. */
const CARD = { width: 500, widths: [200, 300, 500], ratio: '3/2' } as const;

/** As wide as the stories beside the sidebar, at each width of the window. */
const LEAD: CardImage = {
  width: 700,
  widths: TOP_WIDTHS,
  sizes: '(min-width: 1288px) 872px, (min-width: 1024px) calc(100vw - 416px), calc(100vw - 32px)',
  ratio: '3/2',
  priority: true,
};
/** Two columns from 640px on; on phones a thumbnail beside the headline. */
const SECONDARY: CardImage = {
  width: 500,
  widths: TOP_WIDTHS,
  sizes: '(min-width: 640px) 428px, 120px',
  ratio: '3/2',
};
/** At most 4 slides side by side. */
const GUEST: CardImage = { ...CARD, sizes: '(min-width: 640px) 300px, calc(100vw - 32px)' };
/** Thumbnail of a quick byte. */
const BRIEF: CardImage = { ...CARD, sizes: '120px' };

export const loader: PageLoader<Home> = ({ api }) => api.home();

/** Renders the home page (specification, section 2, Home): its sections in the order of their table. */
export function Page() {
  const site = useSettings();
  const home = useLoaderData<typeof loader>();
  const reveal = useReveal(10);
  return (
    <>
      <PageHead
        title={site.name}
        description={site.description}
        path="/"
        image={home.top[0]?.image ?? null}
      />
      <div className="page">
        <TopBlock home={home} />
      </div>
      {site.sections
        .filter((section) => section.home)
        .map((section, index) => {
          const posts = home.sections[section.slug];
          if (!posts) return null;
          const step = Math.min(index + 1, 5);
          return (
            <HomeSection
              key={section.slug}
              section={section}
              posts={posts}
              reveal={(name) => reveal(name, step)}
            />
          );
        })}
      <div className={reveal('home-banner page', 5)}>
        <AdSlot slot="Footer-3" ads={home.ads} />
      </div>
    </>
  );
}

interface HomeSectionProps {
  section: Section;
  posts: readonly PostSummary[];
  /** Returns a class with that of the scroll effect. */
  reveal: (name: string) => string;
}

function HomeSection({ section, posts, reveal }: HomeSectionProps) {
  const { slug, label: title } = section;
  const more = topicPath(posts[0]?.category ?? slug);
  if (section.home === 'feature')
    return (
      <div className={reveal('home-podcasts')}>
        <PodcastFeature title={title} more={more} podcasts={posts} />
      </div>
    );
  if (section.home === 'carousel')
    return (
      <section className={reveal('opinion-band')}>
        <div className="page">
          <SectionHeading title={title} section={slug} more={topicPath(slug)} />
          <Carousel label={title} posts={posts}>
            {(post) => <PostCard post={post} className="post-card-reversed" image={GUEST} />}
          </Carousel>
        </div>
      </section>
    );
  return (
    <section className={reveal('home-section page')}>
      <SectionHeading title={title} section={slug} more={more} />
      {section.home === 'cards' ? (
        // Items counted from 1: 2 to 4 are the side list, 1 and 5 on the cards.
        <QuickBytes list={posts.slice(1, 4)} cards={[...posts.slice(0, 1), ...posts.slice(4)]} />
      ) : (
        // The list starts at item 2: items 2 to 4 are the side list, 2 and 3 also the cards.
        <Articles list={posts.slice(0, 3)} cards={posts.slice(0, 2)} />
      )}
    </section>
  );
}

/** Renders the newest posts: the lead, two secondary ones, and the sidebar with tabs and advertisement. */
function TopBlock({ home }: { home: Home }) {
  const t = useTexts();
  const [lead, ...secondary] = home.top;
  return (
    <div className="top-block">
      <h1 className="top-block-heading">{t(en.latest)}</h1>
      <div className="top-block-stories">
        {lead ? (
          <PostCard post={lead} layout="lead" heading="h2" image={LEAD} withExcerpt />
        ) : (
          <p className="empty">{t(en.noPosts)}</p>
        )}
        <div className="top-block-secondary">
          <KeyedList items={secondary}>
            {(post) => <PostCard post={post} heading="h2" image={SECONDARY} withExcerpt />}
          </KeyedList>
        </div>
      </div>
      <div className="top-block-side">
        <Sidebar lists={home.sidebar} />
        <AdSlot slot="Home-2" ads={home.ads} />
      </div>
    </div>
  );
}

/** Renders quick bytes as a briefing: a list of headlines, and compact cards with thumbnails. */
function QuickBytes({ list, cards }: { list: readonly PostSummary[]; cards: readonly PostSummary[] }) {
  return (
    <div className="list-with-cards is-briefing">
      <ul className="list-with-cards-list">
        <KeyedList items={list}>
          {(post) => (
            <li>
              <PostCard post={post} />
            </li>
          )}
        </KeyedList>
      </ul>
      <PostRows posts={cards} className="list-with-cards-cards" image={BRIEF} withExcerpt />
    </div>
  );
}

/** Renders articles as large cards, and a dense list with thumbnails at their right. */
function Articles({ list, cards }: { list: readonly PostSummary[]; cards: readonly PostSummary[] }) {
  return (
    <div className="list-with-cards is-mirrored">
      <PostRows posts={list} className="list-with-cards-list" />
      <div className="list-with-cards-cards">
        <CardGrid posts={cards} narrow withExcerpt />
      </div>
    </div>
  );
}
