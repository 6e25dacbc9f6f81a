import type { Element } from 'hast';
import { editChildren, h, remove } from '#server/html/edit-elements.ts';
import { type Fragment, findAll, findByName, isEmpty } from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import type { Heading } from '#shared/models/article.ts';

const LEVELS: Readonly<Record<string, Heading['level']>> = { h1: 1, h2: 2, h3: 3, h4: 4 };
const HEADING = /^h[1-6]$/;
const MAX_SLUG = 60;

/** A body's H1 becomes `h2`; the attribute keeps its rank, also when the result is parsed again. */
function levelOf({ tagName, properties }: Element): Heading['level'] | undefined {
  return properties.dataRank === undefined ? LEVELS[tagName] : 1;
}

function slugOf(text: string): string {
  const dashed = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return [...dashed].slice(0, MAX_SLUG).join('').replace(/-$/, '') || 'section';
}

/** Makes ids with a prefix, so that none is an id of the page or a property of `document`. */
function createIds(): (text: string) => string {
  /** Of each id the number that the last one of the same words has. */
  const last = new Map<string, number>();
  return (text) => {
    const base = `s-${slugOf(text)}`;
    let id = base;
    while (last.has(id)) {
      const count = (last.get(base) ?? 1) + 1;
      last.set(base, count);
      id = `${base}-${count}`;
    }
    last.set(id, 1);
    return id;
  };
}

/** Returns `1.` for an H2, `1.2` for an H3 below one, and null for all others. */
function createNumbers(): (level: Heading['level']) => string | null {
  let chapter = 0;
  let section = 0;
  return (level) => {
    if (level === 2) {
      chapter += 1;
      section = 0;
      return `${chapter}.`;
    }
    if (level !== 3 || chapter === 0) return null;
    section += 1;
    return `${chapter}.${section}`;
  };
}

/** Returns the level of each heading where none is skipped: one more than that of the heading it is under, or 2. */
function createOutline(): (rank: number) => number {
  const above: number[] = [];
  return (rank) => {
    while ((above.at(-1) ?? 0) >= rank) above.pop();
    return above.push(rank) + 1;
  };
}

/** What CMSes write as a heading's link to itself. Other signs may be of a note, such as `*`. */
const PERMALINK_SIGN = /^[#¶§∞🔗⚓\u200b\p{Variation_Selector}]*$/u;

/** Removes links of such a sign from headings. Before the targets of links are named: one of a sign alone is none. */
export function dropPermalinks(root: Fragment): void {
  for (const heading of findAll(root, HEADING))
    remove(heading, (link) => {
      const { href, id } = link.properties;
      const isWithin = link.tagName === 'a' && String(href).startsWith('#') && id === undefined;
      const isSign = PERMALINK_SIGN.test(singleLineText(link)) && !findByName(link, 'img', 'audio', 'video');
      return isWithin && isSign;
    });
}

/** Returns what a heading without text holds, such as a picture, after its target. Editors leave empty ones with a line break. */
function contentOf({ properties: { id }, children }: Element): Element['children'] {
  const content = children.filter((child) => child.type === 'element' && child.tagName !== 'br');
  return id === undefined ? content : [h('a', { id }), ...content];
}

/**
 * Gives headings their ids and turns an H1 into `h2`. Returns H1 to H4, and the new ids of those that had one, or an empty
 * anchor with one, which goes. A heading without text is replaced by its content. One that skips a level gets an
 * `aria-level` that does not.
 */
export function markHeadings(root: Fragment) {
  const headings: Heading[] = [];
  const renamed = new Map<string, string>();
  const idFor = createIds();
  const numberFor = createNumbers();
  const outlineLevel = createOutline();

  function mark(element: Element, text: string, level: Heading['level']): void {
    const anchors = findAll(element, (inner) => inner.properties.id !== undefined && isEmpty(inner));
    const originals = [element, ...anchors].map(({ properties }) => properties.id);
    const id = idFor(text);
    const { className, dir, lang } = element.properties;
    element.properties = { className, dir, lang, dataRank: level === 1 ? '1' : undefined, id };
    if (level === 1) element.tagName = 'h2';
    headings.push({ id, text, level, number: numberFor(level) });
    for (const original of originals) if (typeof original === 'string') renamed.set(original, id);
    editChildren(element, (inner) => (anchors.includes(inner) ? inner.children : undefined));
  }

  editChildren(root, (element) => {
    if (!HEADING.test(element.tagName)) return undefined;
    const text = singleLineText(element);
    if (text === '') return contentOf(element);
    const level = levelOf(element);
    if (level !== undefined) mark(element, text, level);
    // The tag keeps its rank for the contents list and its looks.
    const rank = Number(element.tagName.slice(1));
    const outlined = outlineLevel(rank);
    if (outlined < rank) element.properties.ariaLevel = String(outlined);
    return undefined;
  });
  return { headings, renamed };
}
