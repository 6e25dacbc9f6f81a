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

/** Renders the home page (specification, section 2, Home): its sections in the order given there. */
export function Page() {
  const site = useSettings();
  const home = useLoaderData<typeof loader>();
  const isRevealed = useReveal(10);
  const [quickByte] = home.quickBytes;
  const [article] = home.articles;
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
      <div className={revealClass('home-podcasts', isRevealed, 1)}>
        <PodcastFeature podcasts={home.podcasts} />
      </div>
      {home.guests.length > 0 && (
        <section className={revealClass('opinion-band', isRevealed, 2)}>
          <div className="page">
            <SectionHeading title="Guest Authors" section="guest-author" more={topicPath('guest-author')} />
            <Carousel label="Guest authors" posts={home.guests}>
              {(post) => <PostCard post={post} reversed image={GUEST} />}
            </Carousel>
          </div>
        </section>
      )}
      <div className="page">
        {quickByte && (
          <section className={revealClass('home-section', isRevealed, 3)}>
            <SectionHeading title="Quick Bytes" section="quickbytes" more={topicPath(quickByte.category)} />
            {/* Items counted from 1: 2 to 4 are the side list, 1 and 5 on the cards. */}
            <QuickBytes list={home.quickBytes.slice(1, 4)} cards={[quickByte, ...home.quickBytes.slice(4)]} />
          </section>
        )}
        {article && (
          <section className={revealClass('home-section', isRevealed, 4)}>
            <SectionHeading title="Articles" section="featured" more={topicPath(article.category)} />
            {/* `articles` starts at item 2: items 2 to 4 are the side list, 2 and 3 also the cards. */}
            <Articles list={home.articles} cards={home.articles.slice(0, 2)} />
          </section>
        )}
        <div className={revealClass('home-banner', isRevealed, 5)}>
          <AdSlot slot="Footer-3" ads={home.ads} />
        </div>
      </div>
    </>
  );
}
