import type { Element, ElementContent, Text } from 'hast';
import { editChildren, editRuns, h, withText } from '#server/html/edit-elements.ts';
import { type Fragment, findByName, isEmpty } from '#server/html/find-elements.ts';
import { INLINE, singleLineText } from '#server/html/text-content.ts';
import { embedOf } from '#shared/embed-providers.ts';
import { MATH_ELEMENTS } from './formulas.ts';
import { elementFor } from './links.ts';

/** `[embed]https://…[/embed]`, `[youtube https://…]`, `[youtube=https://…]`. */
const EMBED =
  /\[(?:embed|embedyt|youtube|vimeo|soundcloud|spotify|tweet|instagram|tiktok)(?:\s[^[\]]{0,200})?(?:\]\s{0,20}|[\s=]\s{0,20})(https?:\/\/[^\s[\]"“”″]{3,2000})(?![^\s[\]"“”″])(?:\s{0,20}\[\/\w+\]|[^[\]]{0,200}\])/;
const CAPTION = /(\[caption\s[^[\]]{0,2000}\]|\[\/caption\])/;
/** Tags of page builders, which do not run for the REST API: WPBakery, Divi, Avada, Enfold, Jupiter and others. Quotes may be curly by then. */
const BUILDER = /(\[\/?(?:vc|et_pb|fusion|av|mk|cs|ux|su|tatsu|nectar)_[^[\]]{1,4000}\])/;
/** A shortcode with settings that is all of a text: of a plugin that is gone, or as it stands in the database. */
const ALONE =
  /^\s*(\[(?:(?!caption\s)[a-z][\w-]*\s+[\w-]+=|(?:audio|video)[\s:]\s{0,20}https?:)[^[\]]{1,4000}\])(?:\s*\[\/[\w-]+\])?\s*$/i;
/** Buttons around their words. */
const BUTTON = /(\[(?:fusion|su|cs|mk)_button\s[^[\]]{1,4000}\][^[\]]{1,300}\[\/\w{1,20}\])/;
/** A document that WPBakery keeps as base64 of its percent-encoding. */
const RAW = /\[vc_raw_(?:html|js)[^[\]]{0,200}\]([\w+/=\s]+)\[\/vc_raw_\w+\]/;
const SETTINGS =
  /\s(title|text|heading|button_text|alt|src|image|link|id|url|button_url|mp3|m4a|ogg|wav|mp4|m4v|webm)=["“”″]([^"“”″]+)["“”″]/g;
const OPENING = /^\[caption\s/;
const CLOSING = '[/caption]';
const AS_WRITTEN = new Set(['pre', 'code', 'kbd', 'samp', 'textarea', 'math', ...MATH_ELEMENTS]);

const text = (value: string): Text => ({ type: 'text', value });

/** Splits texts by a pattern, and makes something of what its only group holds. */
function split(
  children: readonly ElementContent[],
  pattern: RegExp,
  made: (held: string) => ElementContent,
): ElementContent[] {
  return children.flatMap((child): ElementContent[] =>
    child.type === 'text'
      ? child.value.split(pattern).map((part, at) => (at % 2 === 0 ? text(part) : made(part)))
      : [child],
  );
}

/** Returns a text without its percent-encoding. */
const decoded = (encoded: string) =>
  new URLSearchParams(`text=${encoded.replace(/[&+]/g, encodeURIComponent)}`).get('text') ?? '';

/** Returns what shows a picture, a recording or an embed by its address; null for any other address. */
function mediaOf(address: string, alt: string): Element | null {
  const file = elementFor(address);
  if (file) return h(file, { src: address, alt });
  return embedOf(address) ? withText('p', address) : null;
}

/**
 * Returns what readers see of a shortcode: a picture, a player; of a page builder's also the words of its settings, and its
 * button. The rest is layout.
 */
function shownBy(tag: string): ElementContent {
  // WPBakery writes a link as `url:https%3A%2F%2F…|title:…`.
  const settings = [...tag.matchAll(SETTINGS)].map(([, name = '', value = '']) => ({
    name,
    value: value.startsWith('url:') ? decoded(value.slice('url:'.length).replace(/\|.*/, '')) : value,
  }));
  const named = (names: RegExp) => settings.find(({ name }) => names.test(name))?.value ?? '';
  const [, unnamed = ''] = /^\[\w+[\s:]\s*(https?:[^\s|\]]+)/.exec(tag) ?? [];
  const isAddress = (name: string, value: string) =>
    /^https?:/.test(value) || (/^(?:src|image|link|(?:button_)?url)$/.test(name) && /^\/(?!\/)/.test(value));
  const addresses = [...settings, { name: '', value: unnamed }].flatMap(({ name, value }) =>
    isAddress(name, value) ? value : [],
  );
  const media = addresses.map((address) => mediaOf(address, named(/alt/)));
  const href = addresses.find((_, index) => media[index] === null);
  const words = BUILDER.test(tag) ? named(/^(?:title|text|heading)$/) : '';
  const label = named(/button_text/) || /\]([^[\]]+)\[/.exec(tag)?.[1] || words;
  const isButton = BUILDER.test(tag) && href !== undefined && label !== '';
  const parts = [
    ...media.filter((shown) => shown !== null),
    ...(words === '' || (isButton && label === words) ? [] : [h('p', {}, [withText('strong', words)])]),
    ...(isButton ? [h('p', {}, [withText('a', label, { href, className: ['button'] })])] : []),
  ];
  // A page or a file, which becomes a link.
  if (parts.length === 0 && href !== undefined && !BUILDER.test(tag)) return h('object', { data: href });
  return parts.length === 0 ? text('') : h('div', {}, parts);
}

/** Returns the figure of a caption shortcode: its two marks and the nodes between them; undefined where none of these is a picture. */
function figureOf([opening = text(''), ...content]: readonly ElementContent[]): ElementContent | undefined {
  const at = content.findIndex((node) => findByName(h('p', {}, [node]), 'img'));
  if (at === -1) return undefined;
  const attributes = singleLineText(opening);
  const [, side] = /align=["“”]?(align\w+)/.exec(attributes) ?? [];
  // Old ones hold their words so.
  const [, words = ''] = /caption=["“”]([^"“”]+)/.exec(attributes) ?? [];
  return h('figure', { className: side ? [side] : [] }, [
    ...content.slice(0, at + 1),
    h('figcaption', {}, [text(words), ...content.slice(at + 1, -1)]),
  ]);
}

function withCaptions(parts: readonly ElementContent[]): ElementContent[] {
  const made: ElementContent[] = [];
  let opened: number | undefined;
  for (const part of parts) {
    const mark = part.type === 'text' ? part.value : '';
    if (OPENING.test(mark)) opened = made.length;
    made.push(part);
    if (mark !== CLOSING || opened === undefined) continue;
    const figure = figureOf(made.slice(opened));
    if (figure) made.splice(opened, made.length, figure);
    opened = undefined;
  }
  return made;
}

/**
 * Makes what they mean of shortcodes that WordPress leaves in a body: an address alone, a picture with its caption, one that
 * stands alone, and the tags of page builders.
 */
function expandShortcodes(root: Fragment): void {
  const expanded = (children: ElementContent[]): ElementContent[] | undefined => {
    if (!children.some((child) => child.type === 'text' && child.value.includes('['))) return undefined;
    const framed = split(children, RAW, (raw) =>
      h('iframe', { srcDoc: decoded(Buffer.from(raw, 'base64').toString()) }),
    );
    const embedded = split(framed, EMBED, (address) => h('p', {}, [text(address)]));
    const isSentence = children.some((child) => child.type === 'element' && INLINE.has(child.tagName));
    const alone = isSentence ? embedded : split(embedded, ALONE, shownBy);
    return withCaptions(split(split(split(alone, BUTTON, shownBy), BUILDER, shownBy), CAPTION, text));
  };
  editChildren(root, (element) => {
    if (!AS_WRITTEN.has(element.tagName)) element.children = expanded(element.children) ?? element.children;
    return undefined;
  });
  root.children = expanded(root.children) ?? root.children;
}

const BLANK_LINE = /\n[^\S\n]*\n\s*/;

/** What shows something within a line without words. */
const IN_LINE_TOO = /^(?:br|img|picture|svg|math|input|button|label)$/;

const isInLine = (node: ElementContent) =>
  node.type !== 'element' || INLINE.has(node.tagName) || IN_LINE_TOO.test(node.tagName);

const isBreak = (node: ElementContent | undefined) => node?.type === 'element' && node.tagName === 'br';

/** Returns a paragraph whose lines end where its text has a newline; only the elements of one that shows nothing. */
function paragraphOf(nodes: readonly ElementContent[]): ElementContent[] {
  const lines = nodes.flatMap((node, index): ElementContent[] => {
    if (node.type !== 'text') return [node];
    const value = isBreak(nodes[index - 1]) ? node.value.trimStart() : node.value;
    return value.split('\n').flatMap((line, at) => (at === 0 ? [text(line)] : [h('br', {}), text(line)]));
  });
  const shows = (node: ElementContent) =>
    node.type === 'text' ? node.value.trim() !== '' : node.type === 'element' && !isBreak(node);
  const shown = lines.slice(lines.findIndex(shows), lines.findLastIndex(shows) + 1);
  const paragraph = h('p', {}, shown);
  // An anchor may be the target of a link.
  return isEmpty(paragraph) ? shown.filter((node) => node.type === 'element') : [paragraph];
}

function paragraphs(children: readonly ElementContent[]): ElementContent[] | undefined {
  const isBare = (node: ElementContent) =>
    node.type === 'text' && node.value.trim() !== '' && BLANK_LINE.test(node.value);
  if (!children.some(isBare)) return undefined;
  return editRuns(children, isInLine, (run) => {
    const written: ElementContent[][] = [[]];
    for (const node of run) {
      const parts = node.type === 'text' ? node.value.split(BLANK_LINE).map(text) : [node];
      written.at(-1)?.push(...parts.slice(0, 1));
      written.push(...parts.slice(1).map((part) => [part]));
    }
    return written.flatMap(paragraphOf);
  });
}

/**
 * Makes paragraphs of text that stands in none and has blank lines: so does the database of WordPress keep what its classic
 * editor wrote.
 */
function paragraphLines(parent: Fragment | Element): void {
  for (const child of parent.children)
    if (child.type === 'element' && child.tagName !== 'pre') paragraphLines(child);
  if (parent.type === 'root' || /^(?:article|blockquote|div|section)$/.test(parent.tagName))
    parent.children = paragraphs(parent.children) ?? parent.children;
}

/** Recovers what a body of WordPress's database means by its text alone: paragraphs, then shortcodes. */
export function recoverText(root: Fragment): void {
  paragraphLines(root);
  expandShortcodes(root);
}
