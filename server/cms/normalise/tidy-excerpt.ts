import { foldSpace, plainText } from './normalise-text.ts';

/** More of an excerpt than any place shows. */
const MAX_LENGTH = 1_000;

/** What themes append to an excerpt: an ellipsis in brackets, and the text of a link to the article. */
const CONTINUES =
  /\s*(\[\s*(…|\.{3})\s*\]|…|\.{3})\s*(\[?(Continue reading|Read (more|on|the rest)|CONTINUE READING|READ MORE|(Weiterlesen|Mehr lesen)(?! \p{Ll}))\b(?!,).*|(continue reading|read more)[^\p{L}\p{N}]*)$/u;
const ENDS_WITH_LINK = /\s*\[?(continue reading|read more)[^\p{L}\p{N}]*$/iu;
const BRACKETED_ELLIPSIS = /\s*\[\s*(…|\.{3})\s*\]/gu;

/** Shortcodes of WordPress plugins: with attributes, with an underscore in the name, or closing one; the last may be cut. `[sic]` is none. */
const SHORTCODE = /\[(\w[\w-]*\s[^[\]]*=[^[\]\s][^[\]]*|\w*_[\w-]*|\/\w[\w-]*)(\]|$)/gu;

/** A character reference that is left after references were decoded: it was encoded twice. */
const ENCODED_TWICE = /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/giu;

/** Returns an excerpt without what a CMS leaves in it: link texts, shortcodes, characters encoded twice. Null if nothing is left. */
export function tidyExcerpt(text: string): string | null {
  const tidy = text
    .slice(0, MAX_LENGTH)
    .replace(ENCODED_TWICE, (reference) => plainText(reference) ?? ' ')
    .replace(CONTINUES, '…')
    .replace(ENDS_WITH_LINK, '')
    .replace(BRACKETED_ELLIPSIS, '…');
  const closed = new Set(Array.from(tidy.matchAll(/\[\/(\w[\w-]*)\]/gu), ([, name]) => name));
  const withoutCodes = tidy
    .replace(/\[(\w[\w-]*)\]/gu, (code, name: string) => (closed.has(name) ? ' ' : code))
    .replace(SHORTCODE, ' ');
  return foldSpace(withoutCodes) || null;
}

/** Characters of a body in which a text is looked for, and letters of it that are no coincidence. */
const BEGINNING_LENGTH = 750;
const LONG_TEXT_LETTERS = 60;

/**
 * Returns whether a text only repeats the beginning of a body's text. Punctuation and spaces do not count; nor does what comes
 * after a long beginning, nor what the body has in between: a CMS leaves out captions, buttons and tables.
 */
export function repeatsBeginning(text: string, beginning: string): boolean {
  const repeated = words(text);
  const body = words(beginning.slice(0, BEGINNING_LENGTH));
  if (body.join('').startsWith(repeated.join('').slice(0, LONG_TEXT_LETTERS))) return true;
  let next = 0;
  for (const word of body) if (word === repeated[next]) next += 1;
  return repeated.slice(0, next).join('').length >= LONG_TEXT_LETTERS;
}

function words(text: string): string[] {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.match(/[\p{L}\p{N}]+/gu) ?? [];
}
