import type { Element } from 'hast';
import { editChildren } from '#server/html/edit-elements.ts';
import { type Fragment, findAll } from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import type { markHeadings } from './headings.ts';

/** Prefix of the ids of targets, so that none is an id of the page, of a heading, or a property of `document`. */
const PREFIX = 't-';
/** White space and control characters do not survive every parse. */
const SAFE_ID = /^[^\s\p{Cc}\uFFFD]{1,100}$/u;

function fragmentOf({ properties: { href } }: Element): string | null {
  if (typeof href !== 'string' || !href.startsWith('#')) return null;
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return null;
  }
}

/**
 * Keeps the ids that in-page links lead to, such as those of footnotes, prefixed and each once; removes all others, and
 * anchors and spans that are neither a link nor a target nor of another language or direction. Returns the new ids by those
 * that were written.
 */
export function nameTargets(root: Fragment): Map<string, string> {
  const fragments = new Set(findAll(root, 'a').map(fragmentOf));
  const used = new Set<string>();
  const renamed = new Map<string, string>();

  function newIdOf(id: unknown): string | null {
    if (typeof id !== 'string' || !SAFE_ID.test(id) || !fragments.has(id) || renamed.has(id)) return null;
    const prefixed = id.startsWith(PREFIX) ? id : PREFIX + id;
    if (used.has(prefixed)) return null;
    used.add(prefixed);
    renamed.set(id, prefixed);
    return prefixed;
  }

  editChildren(root, ({ tagName, properties, children }) => {
    const id = newIdOf(properties.id);
    delete properties.id;
    if (id !== null) properties.id = id;
    return /^(?:a|span)$/.test(tagName) && Object.keys(properties).length === 0 ? children : undefined;
  });
  return renamed;
}

/** The words of a heading, without the number that a contents list puts before them. */
const wordsOf = (text: string) => text.replace(/^[\d.)\s]+(?=\S)/, '').toLowerCase();

/**
 * Points in-page links to the ids that `nameTargets`, and then `markHeadings`, gave their targets; one whose target only a
 * script would have made, as plugins of contents lists do, to the heading of the same words. One that leads nowhere is text.
 */
export function pointLinks(
  root: Fragment,
  targets: ReadonlyMap<string, string>,
  { headings, renamed }: ReturnType<typeof markHeadings>,
): void {
  const byWords = new Map(headings.toReversed().map(({ id, text }) => [wordsOf(text), id]));
  editChildren(root, (element) => {
    const fragment = element.tagName === 'a' ? fragmentOf(element) : null;
    // The browser's own: the top of the page, and a text fragment.
    if (fragment === null || /^(?:top$|:~:)/i.test(fragment)) return undefined;
    const target = targets.get(fragment);
    const id =
      target === undefined ? byWords.get(wordsOf(singleLineText(element))) : (renamed.get(target) ?? target);
    if (id !== undefined) element.properties.href = `#${encodeURIComponent(id)}`;
    else delete element.properties.href;
    return id === undefined && element.properties.id === undefined ? element.children : undefined;
  });
}
