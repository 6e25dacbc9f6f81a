import type { CardImage } from '#client/components/post-card/post-card.tsx';

/**
 * How the home page asks for its images. Widths of `src` and, for an image host, of `srcset` are those of the
 * specification, section 9; `sizes` are what `home-page.css` and `carousel.css` show at each width of the window, with the
 * page at most 1240 pixels wide.
 */

const TOP_WIDTHS = [150, 300, 500, 700, 1000, 1200];
/** Specification, section 9: 500 wide from 768px on, else 200. */
const CARD = { width: 500, widths: [200, 300, 500] };
const PHONE = 'calc(100vw - 32px)';

/** As wide as the stories beside the sidebar. */
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
  sizes:
    '(min-width: 1288px) 428px, (min-width: 1024px) calc(50vw - 216px), (min-width: 640px) calc(50vw - 32px), 120px',
  ratio: '3/2',
};

/** Half of the dark band from 768px on. */
export const PODCAST = {
  width: 700,
  widths: [300, 500, 700, 1000],
  sizes: `(min-width: 1288px) 596px, (min-width: 768px) calc(50vw - 48px), ${PHONE}`,
};

/** 4, 3, 2 or 1 slides side by side. */
export const GUEST: CardImage = {
  ...CARD,
  sizes: `(min-width: 1288px) 295px, (min-width: 1199px) calc(25vw - 27px), (min-width: 1024px) calc(33.4vw - 29px), (min-width: 640px) calc(50vw - 26px), ${PHONE}`,
  ratio: '3/2',
};

/** Thumbnail of a quick byte. */
export const BRIEF: CardImage = { ...CARD, sizes: '120px', ratio: '3/2' };

/** Thumbnail of a side list. */
export const ROW: CardImage = { width: 200, widths: [150, 200, 300], sizes: '120px', ratio: '3/2' };
