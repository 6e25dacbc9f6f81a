import type { Element, ElementContent } from 'hast';
import { editChildren, h, remove, withText } from '#server/html/edit-elements.ts';
import {
  attribute,
  attributesLike,
  type Fragment,
  findAll,
  findByName,
  hasClass,
  isEmpty,
} from '#server/html/find-elements.ts';
import { INLINE, singleLineText, textContent } from '#server/html/text-content.ts';
import { dropVersions, LOADED, unwrapDocuments, unwrapNoscript } from './alternate-content.ts';
import type { BodyContext, EditElement } from './embeds.ts';
import { rebuiltMath } from './formulas.ts';
import {
  recoveredImage,
  recoveredPicture,
  recoveredVideo,
  recoverSource,
  showBackground,
  sourceOf,
} from './lazy-media.ts';
import { loadedFrom, recoveredLink, SHARING } from './links.ts';
import { listWordItems, recoveredList, signTask } from './lists.ts';
import { scriptEmbed } from './script-embeds.ts';
import { recoverText } from './shortcodes.ts';

/** Formatting that word processors write as style, and the elements that say the same. */
const STYLES: readonly (readonly [RegExp, tagName: string])[] = [
  [/(?<![\w-])font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/(?<![\w-])font-style:\s*italic/i, 'em'],
  [/text-decoration(?:-line)?:[^;:]{0,40}line-through/i, 's'],
  [/text-decoration(?:-line)?:[^;:]{0,40}underline/i, 'u'],
  [/vertical-align:\s*super/i, 'sup'],
  [/vertical-align:\s*sub(?!\w)/i, 'sub'],
];
/** Undone formatting: Google Docs wraps a whole document into a `b` of normal weight. `mso-bidi-font-weight` is of other scripts. */
const UNDONE = /(?<![\w-])font-(?:weight|style):\s*(?:normal|[1-5]00)/i;

/** The `mark` that Gutenberg writes for the colour of words. */
const CLEAR = /background(?:-color)?:\s*(?:transparent|none|rgba\([\d\s.,]{1,30},\s*0\s*\))/i;

const isHidden = (element: Element) => attribute(element, 'ariaHidden') === 'true';

/** The words of a button, which does nothing here: the headline of what it would open. One that sends a form has none. */
function buttonWords(button: Element): ElementContent[] | undefined {
  if (isHidden(button) || /^(?:submit|reset)$/i.test(attribute(button, 'type'))) return undefined;
  remove(button, isHidden);
  // Buttons beside each other have a gap.
  return isEmpty(button) ? undefined : [...button.children, { type: 'text', value: ' ' }];
}

/** Classes of what is for screen readers alone, such as the label of a field. Captions name a table or a figure. */
const UNSEEN =
  /(?:^|(?<!not)[-_])(?:screen-reader-(?:text|only)|elementor-screen-only|sr-only|visually-?hidden|element-invisible)$/i;

/** Removes what readers would not see, unless it is all that an element says, such as the name of an icon that shares nothing. */
function dropUnseen(element: Element): void {
  const seen = element.children.filter(
    (child) => child.type !== 'element' || /caption$/.test(child.tagName) || !hasClass(child, UNSEEN),
  );
  if (seen.length === element.children.length) return;
  if (!seen.every(isEmpty) || SHARING.test(attribute(element, 'href'))) element.children = seen;
}

/** Types of fields that a reader fills in; a checkbox may be a task of the author's. */
const FILLED_IN = /^(?:text|email|search|tel|url|number|date|password|file)?$/i;
/** Characters of a form's labels. More are an article, around which some CMSes put a form. */
const MAX_FORM_LENGTH = 500;

/** A form sends nothing here, so without its fields its labels say nothing. */
function form(element: Element, { note }: BodyContext): ElementContent[] | undefined {
  const fields = findAll(
    element,
    ({ tagName, properties: { type, readOnly } }) =>
      /^(?:select|textarea)$/.test(tagName) ||
      (tagName === 'input' && FILLED_IN.test(String(type ?? '')) && readOnly !== true),
  );
  const isKept = findAll(element, LOADED).length > 0;
  if (fields.length === 0 || isKept || singleLineText(element).length > MAX_FORM_LENGTH) return undefined;
  note('removed', 'form', attribute(element, 'action'));
  return [];
}

/** Characters of a style that are read: each pattern looks for its end from each of its beginnings. */
const MAX_STYLE = 1_000;
const styleOf = (element: Element) => attribute(element, 'style').slice(0, MAX_STYLE);

/** Classes of notes within a line, which a style or a script shows beside it. */
const NOTE = /^(?:modern-footnotes-footnote__note|sidenote|marginnote|glossary-tooltip-content)$/;

/** Puts a note in brackets; writes the style of other spans as elements, in the span where that has a language, a direction or an id. */
function formatted(span: Element): ElementContent[] | undefined {
  if (isEmpty(span)) return undefined;
  if (span.properties.role === 'tooltip' || hasClass(span, NOTE))
    return [{ type: 'text', value: ' (' }, ...span.children, { type: 'text', value: ')' }];
  const written = span.children;
  const style = styleOf(span);
  for (const [pattern, tagName] of STYLES) {
    // Links are underlined by themselves.
    const isOfLink = tagName === 'u' && findByName(span, 'a') !== undefined;
    if (pattern.test(style) && !isOfLink) span.children = [h(tagName, {}, span.children)];
  }
  const isKept = ['id', 'lang', 'dir'].some((name) => span.properties[name] !== undefined);
  return isKept || span.children === written ? undefined : span.children;
}

/** The pictures in an inline drawing and its words: its name and its labels. An icon, which has none, is left to the sanitiser. */
function svgWords(svg: Element, { note }: BodyContext): ElementContent[] | undefined {
  const title = findByName(svg, 'title');
  const name = attribute(svg, 'ariaLabel') || singleLineText(h('span', {}, title?.children));
  const labels = singleLineText(h('span', {}, svg.children));
  const pictures: ElementContent[] = findAll(svg, 'image').map((image) =>
    h('img', { src: attribute(image, 'href', 'xLinkHref'), alt: labels === '' ? name : '' }),
  );
  svg.children = [];
  const isNamed = labels !== '' || (pictures.length === 0 && attribute(svg, 'role') === 'img');
  const words = isNamed && !isHidden(svg) ? [name, labels].filter(Boolean).join(': ') : '';
  if (words === '') return pictures.length > 0 ? pictures : undefined;
  note('removed', 'svg');
  return [...pictures, { type: 'text', value: words }];
}

/** Writes the name of a drawing that only a style or a script would make into it. */
function writeName(element: Element, { note }: BodyContext): void {
  const name = attribute(element, 'ariaLabel');
  if (attribute(element, 'role') !== 'img' || element.tagName === 'svg' || name === '' || !isEmpty(element))
    return;
  note('removed', element.tagName);
  Object.assign(element.properties, { role: null, ariaLabel: null });
  element.children = [{ type: 'text', value: name }];
}

/** A line that says itself that it is a heading, as Word writes it for browsers. */
function heading(line: Element): undefined {
  const isOther = ({ tagName }: Element) => !INLINE.has(tagName) && tagName !== 'br';
  const level = /^[1-6]$/.exec(attribute(line, 'ariaLevel'))?.[0] ?? '2';
  if (line.properties.role === 'heading' && findAll(line, isOther).length === 0) line.tagName = `h${level}`;
}

/** Attributes with the number to which a script of a page builder would count, and classes of the place where it writes that. */
const COUNTED = /^data(?:to(?:value)?|end|count(?:to)?|number(?:value)?|pievalue)$/i;
const COUNTER = /(?:^|[-_])(?:count(?:er|up)?|number(?:s|-int)?|percent-value|chart_value)$/i;

/** Writes the number to which a script would count into the place that shows nothing, or the number from which it counts. */
function writeCount(element: Element): void {
  const counted = attributesLike(element, COUNTED).find((value) => /^-?\d[\d.,]{0,14}$/.test(value));
  if (counted === undefined) return;
  const [place = element] = findAll(element, (inner) => hasClass(inner, COUNTER));
  const from = ['dataFromValue', 'dataStart'].map((name) => attribute(element, name));
  if (!hasClass(place, COUNTER) || !['', '0', ...from].includes(singleLineText(place))) return;
  const unit = attribute(element, 'dataSuffix', 'dataPieUnits');
  place.children = [{ type: 'text', value: attribute(element, 'dataPrefix') + counted + unit }];
}

/** What browsers show of an element that shows only its content where it cannot do more. */
const fallback: EditElement = ({ children }) => (children.length > 0 ? children : undefined);

const undone: EditElement = (element) =>
  UNDONE.test(attribute(element, 'style')) ? element.children : undefined;

/** Makes an element the one for which it stands. */
const plain =
  (tagName: string): EditElement =>
  (element, context) => {
    element.tagName = tagName;
    if (tagName === 'img') element.children = [];
    return RECOVERED[tagName]?.(element, context);
  };

const RECOVERED: Readonly<Record<string, EditElement>> = {
  img: recoveredImage,
  iframe: recoverSource,
  audio: recoverSource,
  video: recoveredVideo,
  input: (input, context) =>
    attribute(input, 'type') === 'image' ? plain('img')(input, context) : undefined,
  textarea: (area) => (isEmpty(area) || isHidden(area) ? undefined : [h('pre', {}, area.children)]),
  form,
  li: signItem,
  p: heading,
  div: heading,
  source: recoverSource,
  picture: recoveredPicture,
  span: formatted,
  mark: (mark, context) => (CLEAR.test(styleOf(mark)) ? plain('span')(mark, context) : undefined),
  a: (link, { options }) => {
    editChildren(link, (inner) =>
      inner.tagName === 'u' && !inner.properties.id ? inner.children : undefined,
    );
    // A target, whose end tag is often missing: what follows is in no link.
    if (link.properties.href === undefined && findByName(link, 'p', 'div', 'figure'))
      return [h('a', link.properties), ...link.children];
    return recoveredLink(link, options);
  },
  area: (area) => [withText('a', attribute(area, 'alt', 'title', 'href'), { href: area.properties.href })],
  button: buttonWords,
  dialog: (dialog) => (dialog.properties.open === undefined ? undefined : [h('div', {}, dialog.children)]),
  ul: recoveredList,
  ol: recoveredList,
  xmp: ({ children }) => [h('pre', {}, children)],
  map: fallback,
  canvas: fallback,
  meter: fallback,
  progress: fallback,
  svg: svgWords,
  td: signItem,
  // A formula, as MathJax and kramdown keep it.
  script: (script) =>
    /^math\/tex/.test(attribute(script, 'type')) ? [h('code', {}, script.children)] : undefined,
  math: rebuiltMath,
  'amp-img': plain('img'),
  'amp-video': plain('video'),
  'video-js': plain('video'),
  'amp-audio': plain('audio'),
  b: undone,
  strong: undone,
  i: undone,
  em: undone,
};

/**
 * Fields that only robots fill in, text that Word hides, and a rule where Google Docs ends a page. What is hidden by `display`
 * alone, such as a tab, a script may show; by `mso-hide` alone, Outlook hides what others show.
 */
function isNeverShown(element: Element): boolean {
  const style = styleOf(element);
  const isHiddenByAll = element.tagName === 'hr' || /none\s*!important|mso-hide/i.test(style);
  return isHiddenByAll && /display:\s*none/i.test(style);
}

/** Icons that say whether something is so, as tables and lists of products do. */
const SIGNS: readonly (readonly [icon: RegExp, sign: string])[] = [
  [/(?:(?:^|[-_])(?:check(?:mark)?|tick)|icons?-yes)(?:[-_](?:alt|circle|o|solid|square))*$/i, '✓ '],
  [/(?:(?:^|[-_])(?:times|x-?mark|cross|close)|icons?-no)(?:[-_](?:alt|circle|o|solid|square))*$/i, '✗ '],
];

/** Writes the signs of icons in a cell or an item, which only a font or a style would draw, and the state of its task. */
function signItem(item: Element, context: BodyContext): undefined {
  editChildren(item, (inner) => {
    if (!/^(?:i|span|svg)$/.test(inner.tagName) || !isEmpty(inner)) return undefined;
    const sign = SIGNS.find(([icon]) => hasClass(inner, icon))?.[1];
    return sign === undefined ? undefined : [{ type: 'text', value: sign }];
  });
  signTask(item, context);
}

/** Whether a node is within a line but for a class, which is none of ours, of an earlier round, or a role. */
const isStyled = (node: ElementContent | undefined): node is Element =>
  node?.type === 'element' &&
  INLINE.has(node.tagName) &&
  !/^su[bp]$/.test(node.tagName) &&
  (hasClass(node, /^(?!b-)/) || attribute(node, 'role') !== '');

/** The end of a word or a number, and the start of the next, of a price or of brackets: neither of a letter or a digit alone. */
const END = /[\p{L}\p{N}]{2}$/u;
const START = /^(?:[\p{L}\p{N}]{2}|\p{Sc}|\(\p{L})/u;

const BOXES = /^(?:a|button|div|figcaption|label|section|span)$/;
const NOT_LAID_OUT = /^(?:pre|code|math|p|h[1-6])$/;

/** Puts a space between two words that elements with a class in a box show beside or below each other by a style. */
function separateWords(parent: Fragment | Element): void {
  for (const child of parent.children)
    if (child.type === 'element' && !NOT_LAID_OUT.test(child.tagName)) separateWords(child);
  if (parent.type === 'root' || !BOXES.test(parent.tagName)) return;
  const { children } = parent;
  parent.children = children.flatMap((child, at): ElementContent[] => {
    const before = children[at - 1];
    const areStyled = isStyled(before) && isStyled(child);
    const areDivided = areStyled && END.test(textContent(before)) && START.test(textContent(child));
    return areDivided ? [{ type: 'text', value: ' ' }, child] : [child];
  });
}

/** Characters for private use, which only the font of an icon draws: without it they are boxes. */
const ICONS = /[\uE000-\uF8FF]/g;

/** Recovers what plugins and word processors hide or garble: images, frames, formatting, lists, links of maps. */
export function recover(root: Fragment, context: BodyContext): void {
  listWordItems(root);
  recoverText(root);
  // A button in code copies it.
  for (const pre of findAll(root, 'pre')) remove(pre, ({ tagName }) => tagName === 'button');
  unwrapDocuments(root);
  dropVersions(root);
  separateWords(root);
  const loading = findAll(root, LOADED);
  const sources = loading.flatMap((element) => [element, ...findAll(element, 'source')]);
  const shown = new Set(sources.flatMap((element) => sourceOf(element) ?? []).map(loadedFrom));
  const linked = new Set(findAll(root, 'a').map((a) => loadedFrom(attribute(a, 'href'))));
  const shownByAttributes = (element: Element): ElementContent[] | undefined => {
    if (Object.keys(element.properties).length === 0 && element.tagName !== 'script') return undefined;
    if (isNeverShown(element)) return [];
    writeCount(element);
    if (/(?<![\w-])direction:\s*rtl/i.test(styleOf(element))) element.properties.dir ??= 'rtl';
    const shownBy = scriptEmbed(element, shown, linked) ?? showBackground(element, shown, context.note);
    if (shownBy === undefined) writeName(element, context);
    return shownBy;
  };
  editChildren(root, (element) => {
    for (const child of element.children)
      if (child.type === 'text') child.value = child.value.replace(ICONS, '');
    dropUnseen(element);
    return shownByAttributes(element) ?? RECOVERED[element.tagName]?.(element, context);
  });
  unwrapNoscript(root);
}
