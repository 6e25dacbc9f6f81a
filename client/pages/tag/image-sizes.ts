import type { CardImage } from '#client/components/post-card/post-card.tsx';

/**
 * How the tag page asks for its images. Widths of `src` are those of the specification, section 9; `sizes` are what
 * `tag-page.css` and `carousel.css` show at each width of the window, beside the Category menu.
 */

/** Columns of at least 15rem below 1024 pixels. */
const NARROW =
  '(min-width: 848px) calc(33.4vw - 42px), (min-width: 528px) calc(50vw - 24px), calc(100vw - 32px)';
const CARD = { width: 500, widths: [200, 300, 500] };

export const THREE_COLUMNS: CardImage = {
  ...CARD,
  sizes: `(min-width: 1360px) 398px, (min-width: 768px) min(387px, 33.4vw - 42px), ${NARROW}`,
};

/** Columns of at least 24rem. */
export const TWO_COLUMNS: CardImage = {
  ...CARD,
  sizes:
    '(min-width: 1360px) 398px, (min-width: 1280px) 387px, (min-width: 880px) calc(50vw - 52px), calc(100vw - 32px)',
};

export const FOUR_COLUMNS: CardImage = {
  ...CARD,
  sizes: `(min-width: 1360px) 292px, (min-width: 1024px) min(284px, 25vw - 37px), ${NARROW}`,
};

/** Two columns beside a list that takes five twelfths. */
export const BESIDE_LIST: CardImage = {
  ...CARD,
  sizes: `(min-width: 1360px) 336px, (min-width: 1024px) min(327px, 29.2vw - 49px), ${NARROW}`,
};

/** Columns of at least 20rem beside an advertisement. */
export const BESIDE_AD: CardImage = {
  ...CARD,
  sizes:
    '(min-width: 1360px) 424px, (min-width: 1112px) min(408px, 50vw - 236px), (min-width: 1024px) calc(100vw - 448px), (min-width: 688px) calc(50vw - 24px), calc(100vw - 32px)',
};

export const GUEST: CardImage = {
  ...CARD,
  sizes:
    '(min-width: 1360px) 295px, (min-width: 1199px) min(287px, 25vw - 34px), (min-width: 1024px) calc(33.4vw - 39px), (min-width: 640px) calc(50vw - 26px), calc(100vw - 32px)',
  ratio: '3/2',
};

/** Thumbnail of the side list. */
export const ROW: CardImage = { width: 200, widths: [150, 200, 300], sizes: '120px', ratio: '3/2' };
