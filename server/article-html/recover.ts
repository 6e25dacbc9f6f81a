import type { Element, ElementContent, Root } from 'hast';
import {
  attribute,
  classesOf,
  editChildren,
  findAll,
  findByName,
  h,
  isEmpty,
  withText,
} from '#server/html/edit-elements.ts';
import { parseBoundedHtml } from '#server/html/parse-bounded-html.ts';
import { INLINE, singleLineText, textContent } from '#server/html/text-content.ts';
import { embedOf } from '#shared/embed-providers.ts';
import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
import { codeOfTable, isLineNumber } from './code.ts';
import type { NoteLoss } from './embeds.ts';
import { rebuiltMath } from './formulas.ts';
import {
  isPicture,
  NO_ADDRESS,
  pictureIn,
  recoveredImage,
  recoveredPicture,
  sourceOf,
} from './lazy-images.ts';
import { shortName } from './links.ts';
import { listWordItems, recoveredList, signTask } from './lists.ts';
import { recoverText } from './shortcodes.ts';
import { SOCIAL, shownByScript } from './shown-by-scripts.ts';

/** Formatting that word processors write as style. */
const STYLES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/(?<![\w-])font-style:\s*italic/i, 'em'],
  [/text-decoration[a-z-]*:[^;:]*line-through/i, 's'],
  [/vertical-align:\s*super/i, 'sup'],
  [/vertical-align:\s*sub(?!\w)/i, 'sub'],
];
/** Undone formatting: Google Docs wraps a whole document into a `b` of normal weight. `mso-bidi-font-weight` is of other scripts. */
const UNDONE = /(?<![\w-])font-(?:weight|style):\s*(?:normal|[1-5]00)/i;

/** Gives a frame, a recording or a source of one the address that a plugin hides. */
function loaded(element: Element): undefined {
  element.properties.src = sourceOf(element);
}

/**
 * A video whose file is the page of a provider's is an embed: so does WordPress write its `video` shortcode. One without a file
 * is the picture that it shows.
 */
function recording(video: Element): ElementContent[] | undefined {
  loaded(video);
  const sources = [video, ...findAll(video, 'source')]
    .map((source) => attribute(source, 'src'))
    .filter(Boolean);
  const page = sources.find((src) => embedOf(src) !== null);
  const { title, poster, width, height } = video.properties;
  if (page !== undefined) return [h('iframe', { src: page, title })];
  if (sources.length > 0 || attribute(video, 'poster') === '') return undefined;
  return [h('img', { src: poster, alt: title, width, height }), ...video.children];
}

const BACKGROUND = /^(?:background$|data.*(?:bg|background|parallax)|dataImageSrc$)/i;
const WITHOUT_BACKGROUND = /^(?:img|picture|video|audio|iframe|source|input)$/;
const ROWS = /^t(?:body|head|foot|r)$/;

/**
 * Puts the picture that stands behind an element into it, as its first part, unless an image shows it: in the place of one
 * without content, into the first cell of rows, before a list or a table.
 */
function background(
  element: Element,
  shown: ReadonlySet<string>,
  note: NoteLoss,
): ElementContent[] | undefined {
  if (WITHOUT_BACKGROUND.test(element.tagName)) return undefined;
  const style = attribute(element, 'style');
  const inStyle = /background(?:-image)?:[^;:]*?url\(\s*["']?([^"')]+)/i.exec(style)?.[1];
  const names = Object.keys(element.properties).filter((name) => BACKGROUND.test(name));
  const named = names.map((name) => attribute(element, name).replace(/^url\(["']?|["']?\)$/g, ''));
  const isShared =
    SHARING.test(attribute(element, 'href')) || classesOf(element).some((name) => SOCIAL.test(name));
  const isHolder = isEmpty(element) && !isShared;
  const src = inStyle ?? named.find(isPicture) ?? (isHolder ? pictureIn(element) : undefined);
  if (src === undefined || NO_ADDRESS.test(src) || shown.has(src)) return undefined;
  const isPreview =
    /overlay|poster|preview/.test(classesOf(element).join(' ')) ||
    (!isEmpty(element) && singleLineText(element) === '');
  if (isPreview) {
    note('removed', element.tagName, URL.parse(src)?.host ?? null);
    return undefined;
  }
  const isIcon = /emoji|emoticon|icon/.test(classesOf(element).join(' '));
  const img = h('img', {
    src,
    alt: attribute(element, 'ariaLabel'),
    ...(isIcon && { width: 20, height: 20 }),
  });
  if (isEmpty(element) && /^(?:div|span|figure)$/.test(element.tagName)) return [img];
  if (/^(?:ul|ol|dl|table)$/.test(element.tagName)) return [img, element];
  const holder = ROWS.test(element.tagName) ? findByName(element, 'td', 'th') : element;
  holder?.children.unshift(img);
  return undefined;
}

const isHidden = (element: Element) => attribute(element, 'ariaHidden') === 'true';

/** Classes of players' controls, whose labels are no words of the author. */
const CONTROL = /^(?:plyr|vjs|mejs|jw|kg-(?:audio|video))[_-]/;

/** The words of a button, which does nothing here: the headline of what it would open. One that sends a form has none. */
function buttonWords(button: Element): ElementContent[] | undefined {
  const isControl = classesOf(button).some((name) => CONTROL.test(name));
  if (isControl || isHidden(button) || /^(?:submit|reset)$/i.test(attribute(button, 'type')))
    return undefined;
  editChildren(button, (inner) => (isHidden(inner) ? [] : undefined));
  // Buttons beside each other have a gap.
  return isEmpty(button) ? undefined : [...button.children, { type: 'text', value: ' ' }];
}

const UNSEEN =
  /(?:^|(?<!not)[-_])(?:screen-reader-(?:text|only)|elementor-screen-only|sr-only|for-sr|visually-?hidden|element-invisible)$/i;

/** Whether something is for screen readers alone, such as the label of a field. Captions name a table or a figure. */
function isUnseen(child: ElementContent): boolean {
  if (child.type !== 'element' || child.properties.className === undefined) return false;
  return !/caption$/.test(child.tagName) && classesOf(child).some((name) => UNSEEN.test(name));
}

/** Removes what readers would not see, unless it is all that an element says, such as the name of an icon. */
function dropUnseen(element: Element): void {
  if (!element.children.some(isUnseen)) return;
  const seen = element.children.filter((child) => !isUnseen(child));
  if (!isEmpty(h('div', {}, seen))) element.children = seen;
}

/** Types of fields that a reader fills in; a checkbox may be a task of the author's. */
const FILLED_IN = /^(?:text|email|search|tel|url|number|date|password|file)?$/i;
/** Characters of a form's labels. More are an article, around which some CMSes put a form. */
const MAX_FORM_LENGTH = 500;

/** A form sends nothing here, so without its fields its labels say nothing. */
function form(element: Element, note: NoteLoss): ElementContent[] | undefined {
  const fields = findAll(
    element,
    ({ tagName, properties: { type, readOnly } }) =>
      /^(?:select|textarea)$/.test(tagName) ||
      (tagName === 'input' && FILLED_IN.test(String(type ?? '')) && readOnly !== true),
  );
  const isKept = findAll(element, ({ tagName }) => LOADED.test(tagName)).length > 0;
  if (fields.length === 0 || isKept || singleLineText(element).length > MAX_FORM_LENGTH) return undefined;
  note('removed', 'form', URL.parse(attribute(element, 'action'))?.host ?? null);
  return [];
}

/** Attributes with the number to which a script would count, and classes of the place where it writes that. */
const COUNTED =
  /^data(?:to(?:value)?|end|target|count(?:to)?|number(?:value)?|value|fillamount|percent(?:age)?)$/i;
const COUNTER = /(?:^|[-_])(?:count(?:er|up)?|number|percent(?:-value)?)$/i;

/** Levels below an element that are searched: each element of a body may be. */
const MAX_COUNTER_DEPTH = 4;

/** Returns the first element, or below one, that holds nothing but text and has the class of a counter. */
function counterIn(element: Element, depth = MAX_COUNTER_DEPTH): Element | undefined {
  const inner = element.children.filter((child) => child.type === 'element');
  if (inner.length === 0) return classesOf(element).some((name) => COUNTER.test(name)) ? element : undefined;
  for (const child of depth > 0 ? inner : []) {
    const found = counterIn(child, depth - 1);
    if (found) return found;
  }
  return undefined;
}

/**
 * Writes the number to which a script would count into the place that shows nothing, or the number from which it counts. The
 * number of a cell is what its column is sorted by.
 */
function count(element: Element): void {
  const { tagName, properties } = element;
  if (/^t[dh]$/.test(tagName)) return;
  const name = Object.keys(properties).find(
    (each) => COUNTED.test(each) && /^-?\d[\d.,]{0,14}$/.test(attribute(element, each)),
  );
  if (name === undefined) return;
  const place = counterIn(element);
  const [, shown = '', unit = ''] = /^(.*?)(%?)$/.exec(place ? singleLineText(place) : '') ?? [];
  const from = ['dataFromValue', 'dataStart'].map((each) => attribute(element, each));
  if (place === undefined || !['', '0', ...from].includes(shown)) return;
  const [before, after] = [attribute(element, 'dataPrefix'), attribute(element, 'dataSuffix')];
  place.children = [{ type: 'text', value: before + attribute(element, name) + unit + after }];
}

/** Puts the formatting of a span into it: the span keeps its language. */
function formatted(span: Element): undefined {
  const style = attribute(span, 'style');
  if (style === '' || isEmpty(span)) return;
  for (const [pattern, tagName] of STYLES)
    if (pattern.test(style)) span.children = [h(tagName, {}, span.children)];
}

/** Pages of networks that share an address. */
const SHARING =
  /^(?:https?:)?\/\/(?:www\.|api\.)?(?:facebook\.com\/sharer|(?:twitter|x)\.com\/(?:intent|share)|bsky\.app\/intent|linkedin\.com\/(?:shareArticle|sharing)|pinterest\.com\/pin\/create|reddit\.com\/submit|whatsapp\.com\/send\?text|(?:t|telegram)\.me\/share|addtoany\.com)/i;

/** A link that shows nothing but an icon says where it leads, or plays it; one that shares the page goes, and one within it. */
function link(a: Element): ElementContent[] | undefined {
  if (isEmpty(a) && SHARING.test(attribute(a, 'href'))) return [];
  if (isEmpty(a) && embedOf(attribute(a, 'href'))?.kind === en.kindOfVideo)
    return [h('iframe', { src: attribute(a, 'href') })];
  const written = shortName(attribute(a, 'ariaLabel') || attribute(a, 'title'));
  const name = written || URL.parse(attribute(a, 'href'))?.host;
  if (name && /^[^#]/.test(attribute(a, 'href')) && isEmpty(a)) a.children = [{ type: 'text', value: name }];
  return undefined;
}

/** The words of an inline drawing: its name and its labels. An icon, which has none, is left to the sanitiser. */
function svgWords(svg: Element, note: NoteLoss): ElementContent[] | undefined {
  const title = findByName(svg, 'title');
  const name = attribute(svg, 'ariaLabel') || (title ? singleLineText(h('span', {}, title.children)) : '');
  const labels = singleLineText(h('span', {}, svg.children));
  const isShown = labels !== '' || (name !== '' && attribute(svg, 'role') === 'img');
  svg.children = [];
  if (!isShown || isHidden(svg)) return undefined;
  note('removed', 'svg', null);
  return [{ type: 'text', value: [name, labels].filter(Boolean).join(': ') }];
}

/** What browsers show of an element that shows only its content where it cannot do more. */
const fallback = ({ children }: Element): ElementContent[] | undefined =>
  children.length > 0 ? children : undefined;

const isUndone = (element: Element) =>
  UNDONE.test(attribute(element, 'style')) ? element.children : undefined;

/** Makes an element of AMP, or of a CMS, the one for which it stands. */
const plain =
  (tagName: string) =>
  (element: Element): ElementContent[] | undefined => {
    element.tagName = tagName;
    if (tagName === 'img' || tagName === 'iframe') element.children = [];
    if (tagName === 'video') return recording(element);
    return tagName === 'img' ? recoveredImage(element) : undefined;
  };

type Recover = (element: Element, note: NoteLoss, t: Translate) => ElementContent[] | undefined;

const slides: Recover = ({ children }) => [h('div', { className: ['gallery'] }, children)];

const RECOVERED: Readonly<Record<string, Recover>> = {
  img: recoveredImage,
  iframe: loaded,
  audio: loaded,
  video: recording,
  input: (input) => (attribute(input, 'type') === 'image' ? plain('img')(input) : undefined),
  textarea: (area) => (isEmpty(area) || isHidden(area) ? undefined : [h('pre', {}, area.children)]),
  form,
  'ri:url': (file) => [h('img', { src: attribute(file, 'ri:value') })],
  li: (item, _note, t) => void signTask(item, t),
  source: loaded,
  picture: recoveredPicture,
  span: formatted,
  a: link,
  area: (area) => [
    withText('a', attribute(area, 'alt') || attribute(area, 'href'), { href: area.properties.href }),
  ],
  button: buttonWords,
  dialog: (dialog) => (dialog.properties.open === undefined ? undefined : [h('div', {}, dialog.children)]),
  ul: (list, _note, t) => recoveredList(list, t),
  ol: (list, _note, t) => recoveredList(list, t),
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
  'amp-anim': plain('img'),
  'amp-video': plain('video'),
  'video-js': plain('video'),
  'amp-audio': plain('audio'),
  'amp-iframe': plain('iframe'),
  'amp-carousel': slides,
  'amp-base-carousel': slides,
  'drupal-media': plain('img'),
  'action-text-attachment': (attached) =>
    /^image\//.test(attribute(attached, 'content-type')) ? plain('img')(attached) : undefined,
  b: isUndone,
  strong: isUndone,
  i: isUndone,
  em: isUndone,
};

/** Fields that only robots fill in. What is hidden without `!important`, such as a tab, a script may show. */
const NEVER_SHOWN = /display:\s*none\s*!important/i;
const LOADED = /^(?:img|iframe|audio|video)$/;

/** What plugins add to the address of a picture: a smaller size (`_c`: cropped), another format, what a service makes of it. */
const VARIANT = /(?:-\d+x\d+(?:_c)?)?(\.(?:jpe?g|png|gif|webp|avif))(?:\.(?:webp|avif))?(?:\?.*)?$/is;

/** Returns what an image, a frame or a recording loads. Two addresses of one embed, and those of one picture, are the same. */
function loadedBy(element: Element): string {
  const [source = element] = findAll(element, 'source');
  const src = attribute(element, 'src') || attribute(source, 'src');
  return embedOf(src)?.page ?? src.replace(VARIANT, '$1');
}

/** Documents that are read, and elements of one that is kept: without bounds they would multiply those of a body. */
const MAX_DOCUMENTS = 20;
const MAX_ELEMENTS = 500;

const FRAME = /^\s*<(?:audio|iframe|video)\b/i;

/**
 * Returns the HTML that an element keeps as text: a frame its document, an empty one its player, Borlabs Cookie what it shows
 * after consent (base64).
 */
function documentOf(element: Element): string {
  if (element.tagName === 'iframe')
    return sourceOf(element) === undefined ? attribute(element, 'srcDoc') : '';
  const player = Object.values(element.properties).find((value) => FRAME.test(String(value)));
  if (player && isEmpty(element)) return String(player);
  const template = attribute(element, 'dataBorlabsCookieType') && findByName(element, 'script');
  const [text] = template ? template.children : [];
  const encoded = text?.type === 'text' ? text.value : attribute(element, 'dataBorlabsCookieContent');
  return Buffer.from(encoded, 'base64').toString();
}

/** Replaces elements that keep a document as text by what it holds. */
function unwrapDocuments(root: Root): void {
  let documents = 0;
  editChildren(root, (element) => {
    const document = documents < MAX_DOCUMENTS ? documentOf(element) : '';
    if (document === '') return undefined;
    documents += 1;
    const held = parseBoundedHtml(document).root;
    let elements = 0;
    editChildren(held, () => {
      elements += 1;
      return undefined;
    });
    return elements > MAX_ELEMENTS ? undefined : held.children.filter((child) => child.type !== 'doctype');
  });
}

/** Keeps what a `noscript` shows and the page does not show already. */
function unwrapNoscript(root: Root): void {
  const loading = findAll(root, ({ tagName }) => LOADED.test(tagName) || tagName === 'noscript');
  const shown = new Set(loading.map(loadedBy));
  const spares = loading
    .filter(({ tagName }) => tagName === 'noscript')
    .flatMap((spare) => findAll(spare, 'img'));
  const names = new Set(spares.map((img) => attribute(img, 'alt')));
  editChildren(root, (element) => {
    // It keeps the place of an image that a script would load.
    if (element.tagName === 'img' && attribute(element, 'src') === '' && names.has(attribute(element, 'alt')))
      return [];
    if (element.tagName !== 'noscript') return undefined;
    editChildren(element, (inner) =>
      LOADED.test(inner.tagName) && shown.has(loadedBy(inner)) ? [] : undefined,
    );
    // Nobody here can do what it asks for.
    if (/java ?script/i.test(singleLineText(h('div', {}, element.children))))
      return findAll(element, ({ tagName }) => LOADED.test(tagName));
    return element.children;
  });
}

/** Classes of elements that are shown on some screens alone. */
const FOR_SCREENS =
  /(?:^d|hid(?:e|den)|kvs|show|visible)[-_](?:[a-z\d]+[-_]){0,4}(?:desktop|tablet|mob(?:ile)?|phone|xs|sm|md|lg)|(?:desktop|tablet|mobile|phone|small|medium|large)-(?:only|visibility)/i;

/** Removes what says and shows the same as something before it that is for other screens. Cells hold the place of their column. */
function dropVersions(root: Root): void {
  const screensOf = (element: Element) =>
    classesOf(element)
      .filter((name) => FOR_SCREENS.test(name))
      .join(' ');
  const isVersion = (element: Element) => !/^t[dhr]$/.test(element.tagName) && screensOf(element) !== '';
  const said = new Map<string, Set<string>>();
  const isRepeated = (version: Element) => {
    const media = findAll(version, ({ tagName }) => LOADED.test(tagName)).map(loadedBy);
    const all = [singleLineText(version), ...media].filter(Boolean).join(' ');
    const [screens, others] = [screensOf(version), said.get(all)];
    if (all === '') return false;
    const isKnown = others !== undefined && !others.has(screens);
    if (isKnown) others.add(screens);
    else said.set(all, new Set([screens]));
    return isKnown;
  };
  const repeated = new Set(findAll(root, isVersion).filter(isRepeated));
  editChildren(root, (element) => (repeated.has(element) ? [] : undefined));
}

/** Each is searched, and lists may stand in lists. */
const MAX_TAB_LISTS = 20;
const TAB_LISTS = /^(?:kt-tabs-title-list|et_pb_tabs_controls|gb-tabs__buttons|uagb-tabs__panel)$/;
const PANELS = /^(?:kt-tab-inner-content|et_pb_tab|gb-tabs__item|uagb-tabs__body-container)$/;

/** Whether an element has a role, or a class that means it. */
function isOf({ properties: { role, className } }: Element, wanted: string, classes?: RegExp): boolean {
  if (role === wanted) return true;
  return Array.isArray(className) && className.some((name) => classes?.test(String(name)));
}

const isPanel = (element: Element) => isOf(element, 'tabpanel', PANELS);

/** Writes the title of each tab above its panel: all panels are shown. A list of titles stands before its panels, in their order. */
function titlePanels(root: Root): void {
  let tabs: Element[] = [];
  let lists = 0;
  editChildren(root, (element) => {
    const isList = isOf(element, 'tablist', TAB_LISTS);
    if (isList) lists += 1;
    if (isList && lists <= MAX_TAB_LISTS && findAll(element, isPanel).length === 0) {
      tabs = findAll(element, (inner) => isOf(inner, 'tab'));
      if (tabs.length === 0) tabs = element.children.filter((child) => child.type === 'element');
    } else if (isPanel(element)) {
      const tab = tabs.shift();
      const title = singleLineText(h('div', {}, tab?.children));
      if (title !== '') element.children.unshift(h('p', {}, [withText('strong', title)]));
      if (tab) tab.children = [];
    }
    return undefined;
  });
}

/** A body has a bound of links, and each note has two. */
const MAX_NOTES = 500;
const NOTES = /^(?:modern-footnotes-footnote__note|sidenote|marginnote|glossary-tooltip-content)$/;
const HIDDEN_NOTE = /note|tooltip/i;

/** Whether an element is a note within a line, by its role, its class, or as a span that is hidden until a script shows it. */
function isNote(element: Element): boolean {
  const isHiddenSpan = element.tagName === 'span' && /display:\s*none/i.test(attribute(element, 'style'));
  return isOf(element, 'tooltip', isHiddenSpan ? HIDDEN_NOTE : NOTES) && !isEmpty(element);
}

/** Makes footnotes of notes that stand within a line, where a script shows them at a touch or a style beside it. */
function collectNotes(root: Root): void {
  const notes: Element[] = [];
  const references = new Set<ElementContent>();
  editChildren(root, (element) => {
    const [mark, reference, ...others] = element.children;
    // The plugin's own number.
    if (mark?.type === 'text' && reference && references.has(reference) && others.length === 0)
      return /^[\s\d*()[\]]*$/.test(mark.value) ? [reference] : undefined;
    if (!isNote(element) || notes.length === MAX_NOTES) return undefined;
    const number = notes.length + 1;
    const back = withText('a', '↩︎', { href: `#tooltip-ref-${number}` });
    const space: ElementContent = { type: 'text', value: ' ' };
    notes.push(h('li', { id: `tooltip-${number}` }, [...element.children, space, back]));
    const properties = { href: `#tooltip-${number}`, id: `tooltip-ref-${number}` };
    const made = h('sup', {}, [withText('a', String(number), properties)]);
    references.add(made);
    return [made];
  });
  if (notes.length > 0) root.children.push(h('ol', { className: ['footnotes'] }, notes));
}

/** Classes of icons that say whether something is so, as tables of products do. */
const SIGNS: readonly (readonly [icon: RegExp, sign: string])[] = [
  [/(?:^|[-_])(?:check(?:mark)?|tick)(?:$|[-_])|icons?-(?:yes|ok)(?:$|-)/i, '✓'],
  [/(?:^|[-_])(?:times|x-?mark|cross|close|remove)(?:$|[-_])|icons?-no(?:$|-)/i, '✗'],
];

/** Writes the sign of the icon that is all of a cell: only a font or a style would draw it. */
function signCell(cell: Element): undefined {
  if (!isEmpty(h('div', {}, cell.children))) return;
  const isShown = (icon: RegExp) =>
    findAll(cell, (inner) => classesOf(inner).some((name) => icon.test(name))).length > 0;
  const sign = SIGNS.find(([icon]) => isShown(icon))?.[1];
  if (sign !== undefined) cell.children = [{ type: 'text', value: sign }];
}

/** Whether a node is within a line but for a class, which is none of ours, of an earlier round. */
const isStyled = (node: ElementContent) =>
  node.type === 'element' && INLINE.has(node.tagName) && /^(?!b-)./.test(classesOf(node).join(' '));

const NOT_LAID_OUT = /^(?:pre|code|math|p|h[1-6])$/;

/** Puts a space between two words that spans of a box, or other elements in one, show beside or below each other by a style. */
function separateWords(parent: Root | Element): void {
  const children: ElementContent[] = [];
  for (const child of parent.children) {
    const before = children.at(-1);
    if (child.type === 'doctype') continue;
    if (child.type === 'element' && !NOT_LAID_OUT.test(child.tagName)) separateWords(child);
    const isBeside =
      parent.type === 'element' && /^(?:a|button|div|section|span)$/.test(parent.tagName) && before;
    if (isBeside && isStyled(before) && isStyled(child)) {
      const [end, start] = [textContent(before), textContent(child)];
      if (/[\p{L}\p{N}]{2}$/u.test(end) && /^[\p{L}\p{N}]{2}/u.test(start))
        children.push({ type: 'text', value: ' ' });
    }
    children.push(child);
  }
  parent.children = children;
}

/** Characters for private use, which only the font of an icon draws: without it they are boxes. */
const ICONS = /[\uE000-\uF8FF]/g;

/** Recovers what plugins and word processors hide or garble: images, frames, formatting, lists, links of maps. */
export function recover(root: Root, note: NoteLoss, t: Translate): void {
  listWordItems(root);
  recoverText(root);
  // A button in code copies it.
  for (const pre of findAll(root, 'pre'))
    editChildren(pre, (inner) => (inner.tagName === 'button' || isLineNumber(inner) ? [] : undefined));
  unwrapDocuments(root);
  dropVersions(root);
  separateWords(root);
  titlePanels(root);
  const shown = new Set(findAll(root, 'img').flatMap((img) => sourceOf(img) ?? []));
  editChildren(root, (element) => {
    for (const child of element.children)
      if (child.type === 'text') child.value = child.value.replace(ICONS, '');
    dropUnseen(element);
    const isPlain = Object.keys(element.properties).length === 0;
    if (NEVER_SHOWN.test(attribute(element, 'style'))) return [];
    if (!isPlain) count(element);
    const replaced = isPlain ? undefined : (shownByScript(element) ?? background(element, shown, note));
    return replaced ?? RECOVERED[element.tagName]?.(element, note, t);
  });
  unwrapNoscript(root);
  collectNotes(root);
}
