import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import type { ResponsiveImageProps } from '#client/components/responsive-image/responsive-image.tsx';
import type { Home } from '#shared/models/home.ts';
import { AdSlot } from '../../components/ad-slot/ad-slot.tsx';
import { PostCard } from '../../components/post-card/post-card.tsx';
import { Sidebar } from '../../components/sidebar/sidebar.tsx';

/** Specification, section 9: `srcset` widths of the home page's images. */
const WIDTHS = [150, 300, 500, 700, 1000, 1200];

/** 700 wide on a desktop, 200 on a phone. */
const LEAD: PostImage = {
  width: 700,
  widths: WIDTHS,
  sizes: '(min-width: 768px) 700px, 200px',
  ratio: '3/2',
  priority: true,
};

/** 500 wide on a desktop, 300 on a phone. */
const SECONDARY: PostImage = { width: 500, widths: WIDTHS, sizes: '(min-width: 768px) 500px, 300px' };

type PostImage = Pick<ResponsiveImageProps, 'width' | 'widths' | 'sizes' | 'ratio' | 'priority'>;

/** Renders the newest posts: the lead, two secondary ones, and the sidebar with tabs and advertisement. */
export function TopBlock({ home }: { home: Home }) {
  const [lead, ...secondary] = home.top;
  return (
    <div className="top-block">
      <h1 className="top-block-heading">Latest</h1>
      <div className="top-block-stories">
        {lead ? (
          <PostCard post={lead} layout="lead" heading="h2" image={LEAD} withExcerpt />
        ) : (
          <p className="empty">No Posts Available</p>
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
