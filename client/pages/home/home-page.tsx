import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { siteApi } from '#client/api/site-api-context.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { Carousel } from '#client/components/carousel/carousel.tsx';
import { PostCard } from '#client/components/post-card/post-card.tsx';
import { SectionHeading } from '#client/components/section-heading/section-heading.tsx';
import { revealClass, useReveal } from '#client/hooks/use-reveal.ts';
import { useSettings } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { Home } from '#shared/models/home.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { Section } from '#shared/site.ts';
import { topicPath } from '#shared/urls.ts';
import { Articles } from './articles.tsx';
import { GUEST } from './image-sizes.ts';
import { PodcastFeature } from './podcast-feature.tsx';
import { QuickBytes } from './quick-bytes.tsx';
import { TopBlock } from './top-block.tsx';
import './home-page.css';

export async function loader(args: LoaderFunctionArgs): Promise<Home> {
  return siteApi(args).home();
}

/** Posts of the sections without a site folder, by slug. */
function defaultLists({
  podcasts,
  guests,
  quickBytes,
  articles,
}: Home): Record<string, readonly PostSummary[]> {
  return { podcasts, 'guest-author': guests, quickbytes: quickBytes, featured: articles };
}

/** Renders the home page (specification, section 2, Home): its sections in the order of their table. */
export function Page() {
  const site = useSettings();
  const home = useLoaderData<typeof loader>();
  const isRevealed = useReveal(10);
  const lists = home.sections ?? defaultLists(home);
  const sections = site.sections
    .filter((section) => section.home)
    .map((section, index) => ({ section, step: index + 1, posts: lists[section.slug] ?? [] }))
    // Without data the podcasts read `Loading...`, as specified.
    .filter(({ section, posts }) => posts.length > 0 || (section.home === 'feature' && !home.sections));
  const groups = sections.reduce<(typeof sections)[]>((all, one) => {
    const last = all.at(-1);
    if (last && !isWide(one) && last.every((other) => !isWide(other))) last.push(one);
    else all.push([one]);
    return all;
  }, []);
  const banner = (
    <div className={revealClass('home-banner', isRevealed, 5)}>
      <AdSlot slot="Footer-3" ads={home.ads} />
    </div>
  );
  const lastPage = groups.at(-1)?.some(isWide) ? null : groups.pop();
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
      {groups.map((group) => {
        const blocks = group.map((one) => <HomeSection key={one.step} {...one} isRevealed={isRevealed} />);
        return group.some(isWide) ? (
          blocks
        ) : (
          <div key={group[0]?.step} className="page">
            {blocks}
          </div>
        );
      })}
      <div className="page">
        {lastPage?.map((one) => (
          <HomeSection key={one.step} {...one} isRevealed={isRevealed} />
        ))}
        {banner}
      </div>
    </>
  );
}

interface HomeSectionProps {
  section: Section;
  posts: readonly PostSummary[];
  /** Its place in the order of the scroll effect. */
  step: number;
}

/** Returns whether a section is as wide as the window. */
function isWide({ section }: { section: Section }): boolean {
  return section.home === 'feature' || section.home === 'carousel';
}

function HomeSection({ section, posts, step, isRevealed }: HomeSectionProps & { isRevealed: boolean }) {
  const { slug, label: title } = section;
  const reveal = (name: string) => revealClass(name, isRevealed, Math.min(step, 5));
  const [first] = posts;
  const more = topicPath(first?.category ?? slug);
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
            {(post) => <PostCard post={post} reversed image={GUEST} />}
          </Carousel>
        </div>
      </section>
    );
  return (
    <section className={reveal('home-section')}>
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
