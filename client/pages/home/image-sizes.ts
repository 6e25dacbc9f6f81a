import type { CardImage } from '#client/components/post-card/post-card.tsx';

/**
 * How the home page asks for its images. Widths of `src` and, for an image host, of `srcset` are those of the
 * specification, section 9. `sizes` of those that are loaded lazily are for browsers that do not measure them themselves.
 */

const TOP_WIDTHS = [150, 300, 500, 700, 1000, 1200];
/** Specification, section 9: 500 wide from 768px on, else 200. */
const CARD = { width: 500, widths: [200, 300, 500], ratio: '3/2' } as const;
const PHONE = 'calc(100vw - 32px)';

/** As wide as the stories beside the sidebar, at each width of the window. */
export const LEAD: CardImage = {
  width: 700,
  widths: TOP_WIDTHS,
  sizes: `(min-width: 1288px) 872px, (min-width: 1024px) calc(100vw - 416px), ${PHONE}`,
  ratio: '3/2',
  priority: true,
};

/** Two columns from 640px on; on phones a thumbnail beside the headline. */
export const SECONDARY: CardImage = {
  width: 500,
  widths: TOP_WIDTHS,
  sizes: '(min-width: 640px) 428px, 120px',
  ratio: '3/2',
};

/** Half of the dark band from 768px on. */
export const PODCAST = {
  width: 700,
  widths: [300, 500, 700, 1000],
  sizes: `(min-width: 768px) 596px, ${PHONE}`,
};

/** At most 4 slides side by side. */
export const GUEST: CardImage = { ...CARD, sizes: `(min-width: 640px) 300px, ${PHONE}` };

/** Thumbnail of a quick byte. */
export const BRIEF: CardImage = { ...CARD, sizes: '120px' };
