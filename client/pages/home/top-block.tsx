import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PostCard } from '#client/components/post-card/post-card.tsx';
import { Sidebar } from '#client/components/sidebar/sidebar.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import type { Home } from '#shared/models/home.ts';
import * as en from '#shared/texts/en.ts';
import { LEAD, SECONDARY } from './image-sizes.ts';

/** Renders the newest posts: the lead, two secondary ones, and the sidebar with tabs and advertisement. */
export function TopBlock({ home }: { home: Home }) {
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
