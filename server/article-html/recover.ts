import type { Element, ElementContent } from 'hast';
import { editChildren, h, remove, withText } from '#server/html/edit-elements.ts';
import {
  attribute,
  attributesLike,
  classesOf,
  type Fragment,
  findAll,
  findByName,
  hasClass,
  isCaption,
  isEmpty,
} from '#server/html/find-elements.ts';
import { INLINE, singleLineText, textContent, withoutTags } from '#server/html/text-content.ts';
import { embedOf } from '#shared/embed-providers.ts';
import { dropHidden, dropVersions, LOADED, unwrapDocuments, unwrapNoscript } from './alternate-content.ts';
import { isShort } from './blocks.ts';
import { codeOfTable, isLineNumber } from './code.ts';
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
const STYLES: readonly (readonly [RegExp, tagName: string, same?: string])[] = [
  [/(?<![\w-])font-weight:\s*(?:bold|[6-9]00)/i, 'strong', 'b'],
  [/(?<![\w-])font-style:\s*italic/i, 'em', 'i'],
  [/text-decoration(?:-line)?:[^;:]{0,40}line-through/i, 's', 'del'],
  [/text-decoration(?:-line)?:[^;:]{0,40}underline/i, 'u'],
  [/vertical-align:\s*super/i, 'sup'],
  [/vertical-align:\s*sub(?!\w)/i, 'sub'],
];
/** Undone formatting: Google Docs wraps a whole document into a `b` of normal weight. `mso-bidi-font-weight` is of other scripts. */
const UNDONE = /(?<![\w-])font-(?:weight|style):\s*(?:normal|[1-5]00)/i;

/** The `mark` that Gutenberg writes for the colour of words. */
const CLEAR = /background(?:-color)?:\s*(?:transparent|none|rgba\([\d\s.,]{1,30},\s*0\s*\))/i;

const isHidden = (element: Element) => attribute(element, 'ariaHidden') === 'true';

/** Classes of players' controls, whose labels are no words of the author. */
const CONTROL = /^(?:plyr|vjs|mejs|jw|kg-(?:audio|video))[_-]/;

/** The words of a button, which does nothing here: the headline of what it would open. One that sends a form has none. */
function buttonWords(button: Element): ElementContent[] | undefined {
  if (hasClass(button, CONTROL) || isHidden(button) || /^(?:submit|reset)$/i.test(attribute(button, 'type')))
    return undefined;
  remove(button, isHidden);
  // Buttons beside each other have a gap.
  return isEmpty(button) ? undefined : [...button.children, { type: 'text', value: ' ' }];
}

const UNSEEN =
  /(?:^|(?<!not)[-_])(?:screen-reader-(?:text|only)|elementor-screen-only|sr-only|for-sr|visually-?hidden|element-invisible)$/i;

/** Whether something is for screen readers alone, such as the label of a field. Captions name a table or a figure. */
function isUnseen(child: ElementContent): boolean {
  if (child.type !== 'element' || child.properties.className === undefined) return false;
  return !/caption$/.test(child.tagName) && hasClass(child, UNSEEN);
}

/** Removes what readers would not see, unless it is all that an element says, such as the name of an icon that shares nothing. */
function dropUnseen(element: Element): void {
  if (!element.children.some(isUnseen)) return;
  const seen = element.children.filter((child) => !isUnseen(child));
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

/** Writes the formatting of a style as elements, unless all of its content has it. Links are underlined by themselves. */
function writeStyles(element: Element): void {
  const style = styleOf(element);
  if (style === '' || isEmpty(element)) return;
  const [only, ...others] = element.children.filter((child) => !isEmpty(child));
  const inner = only?.type === 'element' && others.length === 0 ? only : null;
  for (const [pattern, tagName, same] of STYLES) {
    const isSaid =
      inner !== null && ([tagName, same].includes(inner.tagName) || pattern.test(styleOf(inner)));
    const isOfLink = tagName === 'u' && findByName(element, 'a') !== undefined;
    if (pattern.test(style) && !isSaid && !isOfLink) element.children = [h(tagName, {}, element.children)];
  }
}

/**
 * Whether a block is one line whose style is its author's. A part of normal weight means that the weight of a list item is only
 * Google Docs' copy of its first span's; what is raised in a cell stands at its top.
 */
function isLine(block: Element): boolean {
  const isOther = (inner: Element) =>
    !(INLINE.has(inner.tagName) || inner.tagName === 'br') || UNDONE.test(styleOf(inner));
  if (!/^(?:p|li|td)$/.test(block.tagName) || /vertical-align/i.test(styleOf(block))) return false;
  return findAll(block, isOther).length === 0;
}

/** Classes of notes within a line, which a style or a script shows beside it. */
const NOTE = /^(?:modern-footnotes-footnote__note|sidenote|marginnote|glossary-tooltip-content)$/;

/** Puts a note within a line in brackets; writes the formatting of any other span as elements, in the span where that has a language, a direction or an id. */
function formatted(span: Element): ElementContent[] | undefined {
  if ((span.properties.role === 'tooltip' || hasClass(span, NOTE)) && !isEmpty(span))
    return [{ type: 'text', value: ' (' }, ...span.children, { type: 'text', value: ')' }];
  const written = span.children;
  writeStyles(span);
  const isKept = ['id', 'lang', 'dir'].some((name) => span.properties[name] !== undefined);
  return isKept || span.children === written ? undefined : span.children;
}

/** The pictures in an inline drawing and its words: its name and its labels. An icon, which has none, is left to the sanitiser. */
function svgWords(svg: Element, { note }: BodyContext): ElementContent[] | undefined {
  const title = findByName(svg, 'title');
  const name = attribute(svg, 'ariaLabel') || (title ? singleLineText(h('span', {}, title.children)) : '');
  const labels = singleLineText(h('span', {}, svg.children));
  const isShown = labels !== '' || (name !== '' && attribute(svg, 'role') === 'img');
  const pictures = findAll(svg, 'image').map((image) =>
    h('img', { src: attribute(image, 'href', 'xLinkHref'), alt: labels === '' ? name : '' }),
  );
  svg.children = [];
  if (pictures.length > 0 && labels === '') return pictures;
  if (!isShown || isHidden(svg)) return pictures.length > 0 ? pictures : undefined;
  note('removed', 'svg');
  return [...pictures, { type: 'text', value: [name, labels].filter(Boolean).join(': ') }];
}

const STARS = /(?:^|[-_])(?:rating|stars)(?:$|[-_])/i;

/** Writes the name of a drawing that only a style or a script would make, such as stars, into it. */
function writeName(element: Element, { note }: BodyContext): void {
  const isShape = attribute(element, 'role') === 'img' || hasClass(element, STARS);
  if (!isShape || element.tagName === 'svg' || !isEmpty(element)) return;
  const name = attribute(element, 'ariaLabel', 'title');
  if (name === '') return;
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
  // Of Confluence, which has them in attributes: a picture, and the title of the page to which a link leads.
  'ri:url': (file) => [h('img', { src: attribute(file, 'ri:value') }), ...file.children],
  'ri:page': (page) => [{ type: 'text', value: `${attribute(page, 'ri:content-title')} ` }, ...page.children],
  li: signItem,
  p: heading,
  div: heading,
  source: recoverSource,
  picture: recoveredPicture,
  span: formatted,
  mark: (mark, context) => (CLEAR.test(styleOf(mark)) ? plain('span')(mark, context) : undefined),
  a: (link, { options }) => {
    // It leads past something.
    if (hasClass(link, UNSEEN) && attribute(link, 'href').startsWith('#')) return [];
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
  table: codeOfTable,
  td: signCell,
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

const UNSHOWN = /none\s*!important|mso-hide:\s*(?:all|screen)|font-size:\s*[01]px|max-height:\s*0(?![.\d])/i;

/**
 * Fields that only robots fill in, text that Word hides, the preview of an e-mail, and a rule where Google Docs ends a page.
 * What is hidden by `display` alone, such as a tab, a script may show; by `mso-hide` alone, Outlook hides what others show.
 */
function isNeverShown(element: Element): boolean {
  const style = styleOf(element);
  return /display:\s*none/i.test(style) && (element.tagName === 'hr' || UNSHOWN.test(style));
}

/** Classes of icons that say whether something is so, as tables of products do. */
const NO = /(?:^|[-_])(?:times|x-?mark|cross|close|remove)(?:$|[-_])|icons?-no(?:$|-)/i;
const SIGNS: readonly (readonly [icon: RegExp, sign: string])[] = [
  [/(?:^|[-_])(?:check(?:mark)?|tick)(?:$|[-_])|icons?-(?:yes|ok)(?:$|-)/i, '✓'],
  [NO, '✗'],
];

/** The same where there are other icons too, such as of `times-of-india` or `close-up`: whose name ends with it, or with its shape. */
const ONLY_NO =
  /(?:(?:^|[-_])(?:times|x-?mark|cross|close|remove)|icons?-no)(?:[-_](?:alt|bold|circled?|fill(?:ed)?|gr[ae]y|icon|mark|o|octagon|outlined?|red|round(?:ed)?|sharp|sign|small|solid|square|thick|thin))*$/i;

/** Writes the sign of an icon that says no, without which the words of an item would say the opposite, and the state of a task. */
function signItem(item: Element, context: BodyContext): undefined {
  // One that is all of a link closes or removes something.
  for (const link of findAll(item, 'a')) if (isEmpty(link)) link.children = [];
  editChildren(item, (inner) =>
    /^(?:i|svg)$/.test(inner.tagName) && hasClass(inner, ONLY_NO) && isEmpty(inner)
      ? [{ type: 'text', value: '✗ ' }]
      : undefined,
  );
  signTask(item, context);
}

/** Writes the sign, or the name, of the icon or the checkbox that is all of a cell: only a font, a style or a form would draw it. */
function signCell(cell: Element, context: BodyContext): undefined {
  if (!cell.children.every(isEmpty)) return;
  signTask(cell, context);
  if (!cell.children.every(isEmpty)) return;
  const isNamed = (inner: Element) => attribute(inner, 'ariaLabel', 'title') !== '';
  const [named] = findAll(cell, isNamed);
  const sign =
    SIGNS.find(([icon]) => findAll(cell, (inner) => hasClass(inner, icon)).length > 0)?.[1] ??
    (named && attribute(named, 'ariaLabel', 'title'));
  if (sign !== undefined) cell.children = [{ type: 'text', value: sign }];
}

/** Whether a node is within a line but for a class, which is none of ours, of an earlier round, or a role. */
function isStyled(node: ElementContent): boolean {
  if (node.type !== 'element' || !INLINE.has(node.tagName) || /^(?:su[bp]|r[bpt])$/.test(node.tagName))
    return false;
  return /^(?!b-)./.test([...classesOf(node), attribute(node, 'role')].join(''));
}

/**
 * Ends and starts of what is not one word: words, a label or a price and a number, a price after either, and a sentence and the
 * next, or a name in brackets.
 */
const DIVIDED: readonly (readonly [end: RegExp, start: RegExp])[] = [
  [/[\p{L}\p{N}]{2}$/u, /^[\p{L}\p{N}]{2}/u],
  [/(?:\p{L}{4}|\p{N}\s?\p{Sc})$/u, /^\p{N}/u],
  [/(?:\p{L}{2}|\p{N})$/u, /^\p{Sc}(?:\p{N}|$)/u],
  [/\p{L}{2}[.!?…]?$/u, /^\(\p{L}/u],
  [/\p{L}{2}[.!?…]$/u, /^\p{Lu}/u],
];

const BOXES = /^(?:a|button|div|figcaption|label|section|span)$/;
const NOT_LAID_OUT = /^(?:pre|code|math|p|h[1-6])$/;

/** Puts a space between two words that spans of a box, or other elements in one, show beside or below each other by a style. */
function separateWords(parent: Fragment | Element): void {
  for (const child of parent.children)
    if (child.type === 'element' && !NOT_LAID_OUT.test(child.tagName)) separateWords(child);
  if (parent.type === 'root' || !BOXES.test(parent.tagName)) return;
  let last: ElementContent | undefined;
  parent.children = parent.children.flatMap((child): ElementContent[] => {
    const before = last;
    // A line between a name and a price.
    if (!(isStyled(child) && isEmpty(child))) last = child;
    if (!before || !isStyled(before) || !isStyled(child)) return [child];
    const [end, start] = [textContent(before), textContent(child)];
    const areDivided = DIVIDED.some(([ending, starting]) => ending.test(end) && starting.test(start));
    return areDivided ? [{ type: 'text', value: ' ' }, child] : [child];
  });
}

/** What WordPress would make an embed of: an address alone, or in a shortcode. */
const EMBED_TAG = /^\[embed[^\]]*\]|\[\/embed\]$/g;
function isAddress({ children: [only, ...others] }: Element): boolean {
  const text = only?.type === 'text' && others.length === 0 ? only.value.slice(0, MAX_STYLE) : '';
  return /^\s*(?:\[embed[^\]]*\])?https?:\/\/\S+\s*$/.test(text);
}

/** Icons whose font draws one in place of its name. */
const LIGATURES = /^ma(?:t|terial)-(?:icons?|symbols)(?:-(?:outlined|rounded|round|sharp|two-tone))?$/;

/** Characters for private use, which only the font of an icon draws: without it they are boxes. */
const ICONS = /[\uE000-\uF8FF]/g;

/** Classes of links that lie over a card. */
const OVER_CARD = /overlay|stretched|link-all|(?:block|box|card|container|cover)-?link/i;

const isBare = (node: ElementContent): node is Element =>
  node.type === 'element' && node.tagName === 'a' && isEmpty(node) && node.properties.style === undefined;

/** Puts a card's few words beside a link without content, which lies over them or bears their name, into it. One that repeats another goes. */
function fillLinks(root: Fragment): void {
  editChildren(root, (box) => {
    const link = box.children.find(isBare);
    if (!link || !/^(?:div|figure|li)$/.test(box.tagName) || !isShort(box)) return undefined;
    const [words, links] = [singleLineText(box), findAll(box, 'a')];
    const [href, name] = [attribute(link, 'href'), attribute(link, 'ariaLabel', 'title')];
    const isOver = name === '' ? hasClass(link, OVER_CARD) : words.includes(name);
    const leadOn = links.every((other) => attribute(other, 'href') === href) && embedOf(href) === null;
    if (!isOver || !leadOn || words === '') return undefined;
    const others = box.children.filter((child) => child !== link);
    const content = links.length === 1 ? [h('a', link.properties, others)] : others;
    return [h(box.tagName, box.properties, content)];
  });
}

/** Recovers what plugins and word processors hide or garble: images, frames, formatting, lists, links of maps. */
export function recover(root: Fragment, context: BodyContext): void {
  listWordItems(root);
  recoverText(root);
  // A button in code copies it.
  for (const pre of findAll(root, 'pre'))
    remove(pre, (inner) => inner.tagName === 'button' || isLineNumber(inner));
  unwrapDocuments(root);
  dropHidden(root, context.note);
  dropVersions(root);
  separateWords(root);
  fillLinks(root);
  for (const figure of findAll(root, 'figure')) {
    const said = new Set(findAll(figure, isCaption).map(singleLineText));
    // Of a plugin that shows the picture above the page.
    for (const img of findAll(figure, 'img'))
      if (said.has(withoutTags(attribute(img, 'dataCaption')))) delete img.properties.dataCaption;
  }
  const loading = findAll(root, LOADED);
  const sources = loading.flatMap((element) => [element, ...findAll(element, 'source')]);
  const written = findAll(root, isAddress).map((element) => singleLineText(element).replace(EMBED_TAG, ''));
  const shown = new Set(
    [...sources.flatMap((element) => sourceOf(element) ?? []), ...written].map(loadedFrom),
  );
  const linked = new Set(findAll(root, 'a').map((a) => loadedFrom(attribute(a, 'href'))));
  const shownByAttributes = (element: Element): ElementContent[] | undefined => {
    if (Object.keys(element.properties).length === 0 && element.tagName !== 'script') return undefined;
    if (isNeverShown(element)) return [];
    writeCount(element);
    if (isLine(element)) writeStyles(element);
    if (/(?<![\w-])direction:\s*rtl/i.test(styleOf(element))) element.properties.dir ??= 'rtl';
    const shownBy = scriptEmbed(element, shown, linked) ?? showBackground(element, shown, context.note);
    if (shownBy === undefined) writeName(element, context);
    return shownBy;
  };
  editChildren(root, (element) => {
    for (const child of element.children)
      if (child.type === 'text') child.value = child.value.replace(ICONS, '');
    dropUnseen(element);
    if ([element.tagName, ...classesOf(element)].some((name) => LIGATURES.test(name))) {
      // As the fonts that draw an icon by a class name it, for a cell's sign.
      element.properties.className = [`icon-${singleLineText(element)}`];
      element.children = [];
    }
    return shownByAttributes(element) ?? RECOVERED[element.tagName]?.(element, context);
  });
  // Names of drawings are words now.
  separateWords(root);
  unwrapNoscript(root);
}
