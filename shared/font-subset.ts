/** From the space to the tilde. */
const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCodePoint(32 + i)).join('');

/** Typographic signs of English text and of the interface. */
const SIGNS = '\u00a0£©®°·×‘’“”–—…•′″−€™←→';

/** Letters of names from Europe and Latin America. */
const LETTERS = 'ÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüý';

/** What the preloaded fonts can draw; `client/styles/fonts.css` says the same as ranges. All else comes on demand. */
export const FONT_SUBSET = ASCII + SIGNS + LETTERS;
