/** Printable ASCII: space to tilde. */
const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCodePoint(32 + i)).join('');

/** Punctuation and symbols of English text and the interface. */
const SIGNS = '\u00a0£©®°·×‘’“”–—…•′″−€™←→';

/** Letters of European and Latin American names. */
const LETTERS = 'ÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüý';

/**
 * Characters of the preloaded fonts; `client/styles/fonts.css` has them as `unicode-range`. Browsers load the full
 * fonts for others.
 */
export const FONT_SUBSET = ASCII + SIGNS + LETTERS;
