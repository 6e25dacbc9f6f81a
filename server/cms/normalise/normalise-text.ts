import { parseBoundedHtml } from '#server/html/parse-bounded-html.ts';
import { textContent } from '#server/html/text-content.ts';
import { parseRequestTarget } from '#server/http/request-head.ts';
import { DOTS, encodeSegment } from '#shared/urls.ts';

/** More of one text than any page shows: a deck may hold a whole article. */
const MAX_INPUT = 64 * 1024;
/** As long as a slug of a request may be (`content/primary-resource.ts`). */
const MAX_SLUG = 512;

/** Folds white space to single spaces and removes control and invisible format characters and lone surrogates. */
export function foldSpace(value: string): string {
  return value
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\uFEFF\u200B\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFFD]/gu, '')
    .trim();
}

/** Neither a space nor of format, such as a soft hyphen. */
const VISIBLE = /[^\p{Z}\p{Cf}]/u;

/**
 * Returns the plain text of HTML or text: tags stripped, scripts and comments dropped, entities decoded once, white space folded.
 * Null when nothing is left to see.
 */
export function plainText(value: string | null): string | null {
  if (value === null) return null;
  const input = value.slice(0, MAX_INPUT);
  const text = /[<&]/.test(input) ? foldSpace(textContent(parseBoundedHtml(input).root)) : foldSpace(input);
  return VISIBLE.test(text) ? text : null;
}

/** HTML that the beginning of a text is looked for in first, and characters that are enough of one. */
const BEGINNING_INPUT = 4 * 1024;
const BEGINNING_LENGTH = 1_100;

/**
 * Returns what `plainText` returns, of a long text perhaps no more than its first thousand characters: a list may have whole
 * articles, and to parse them all would hold up requests for seconds.
 */
export function beginningOf(value: string | null): string | null {
  const beginning = plainText(value?.slice(0, BEGINNING_INPUT) ?? null);
  const isEnough = (value?.length ?? 0) <= BEGINNING_INPUT || (beginning?.length ?? 0) >= BEGINNING_LENGTH;
  return isEnough ? beginning : plainText(value);
}

/** Cuts a text to at most `limit` characters, between words and with an ellipsis. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.\uFFFD-]+$/u, '')}…`;
}

/** A headline of two or three lines. */
const MAX_TITLE_WORDS = 80;

/** Returns the title of what has none: the first words of its text. Null where there is no text. */
export function firstWords(text: string | null): string | null {
  return text === null ? null : shorten(text, MAX_TITLE_WORDS);
}

/**
 * Returns a slug or id without space around it; null when it is blank, overlong, a dot segment, or has control characters
 * or noncharacters: no request can name it (`server/http/request-head.ts`, `shared/canonical-path.ts`).
 */
export function slugOf(value: string | null): string | null {
  const slug = value?.trim() ?? '';
  if (!VISIBLE.test(slug) || slug.length > MAX_SLUG || DOTS.test(slug)) return null;
  if (/[\p{Cs}\p{Noncharacter_Code_Point}]/u.test(slug)) return null;
  return parseRequestTarget(`/${encodeSegment(slug)}`) === null ? null : slug;
}

/** Returns the title of a page that has no words but those of its own slug; null where it has none. */
export const wordsOfSlug = (slug: string | null): string | null => slugOf(slug)?.replaceAll('-', ' ') ?? null;
