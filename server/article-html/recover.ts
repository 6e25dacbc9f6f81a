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
} from '#server/html/elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { embedOf } from '#shared/embeds.ts';
import type { NoteLoss } from './embeds.ts';
import { rebuiltMath } from './formulas.ts';

/** Attributes in which plugins keep the address of what they load lazily, or after consent. */
const HIDDEN_SOURCE = /^data(?:(?:Lazy|Litespeed|Cmp)?Src|SrcCmplz|Original)$/;
const LAZY_CANDIDATES = ['srcSet', 'dataSrcset', 'dataLazySrcset'];

/** Formatting that word processors write as style. */
const STYLES: readonly (readonly [RegExp, string])[] = [
  [/font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/font-style:\s*italic/i, 'em'],
  [/text-decoration[a-z-]*:[^;]*line-through/i, 's'],
  [/vertical-align:\s*super/i, 'sup'],
  [/vertical-align:\s*sub(?!\w)/i, 'sub'],
];
/** Undone formatting: Google Docs wraps a whole document into a `b` of normal weight. */
const UNDONE = /font-(?:weight|style):\s*(?:normal|[1-5]00)/i;

/** Returns the address of an image or a frame, also where a plugin hides it. */
function sourceOf(element: Element): string | undefined {
  const hidden = Object.keys(element.properties).filter((name) => HIDDEN_SOURCE.test(name));
  return [...hidden, 'src']
    .map((name) => attribute(element, name))
    .find((value) => value !== '' && !/^(?:data|about|blob|javascript):/i.test(value));
}

/** Returns the widest candidate of a `srcset`. */
function widest(element: Element, names: readonly string[]): string {
  const lists = names.map((name) => element.properties[name]);
  const candidates = lists
    .flatMap((list) => (Array.isArray(list) ? list.join(',') : typeof list === 'string' ? list : ''))
    .flatMap((list) => list.split(/(?<=\s[\d.]+[wx]),/))
    .map((candidate) => candidate.trim().split(/\s+/));
  const sorted = candidates.toSorted(([, a = ''], [, b = '']) => Number.parseFloat(b) - Number.parseFloat(a));
  return sorted.find(([url]) => url && !/^data:/i.test(url))?.[0] ?? '';
}

/** Gives an image the address that a plugin hides, or that stands in its candidates alone. Emoji become characters. */
function image(img: Element): ElementContent[] | undefined {
  if (classesOf(img).some((name) => name === 'emoji' || name === 'wp-smiley') && attribute(img, 'alt') !== '')
    return [{ type: 'text', value: attribute(img, 'alt') }];
  img.properties.src = sourceOf(img) ?? widest(img, LAZY_CANDIDATES);
  return undefined;
}

/** Gives a frame, a recording or a source of one the address that a plugin hides. */
function loaded(element: Element): undefined {
  element.properties.src = sourceOf(element);
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

/** Makes each list within a list, as word processors nest them, part of the item before it. */
function nestedLists(list: Element): undefined {
  const items: ElementContent[] = [];
  for (const child of list.children) {
    const isList = child.type === 'element' && /^[uo]l$/.test(child.tagName);
    const before = items.findLast((item) => item.type === 'element');
    if (!isList) items.push(child);
    else if (before?.type === 'element' && before.tagName === 'li') before.children.push(child);
    else items.push(h('li', {}, [child]));
  }
  list.children = items;
}

function picture(element: Element): ElementContent[] {
  const img = findByName(element, 'img') ?? h('img', {});
  const sources = findAll(element, ({ tagName }) => tagName === 'source');
  if (attribute(img, 'src') === '')
    img.properties.src =
      sources.map((source) => widest(source, LAZY_CANDIDATES)).findLast((url) => url !== '') ?? '';
  return [img];
}

function formatted(span: Element): ElementContent[] | undefined {
  const style = attribute(span, 'style');
  if (style === '' || isEmpty(span)) return undefined;
  let { children } = span;
  for (const [pattern, tagName] of STYLES) if (pattern.test(style)) children = [h(tagName, {}, children)];
  return children === span.children ? undefined : children;
}

/** A link that shows nothing but an icon says where it leads. */
function link(a: Element): undefined {
  const name = attribute(a, 'ariaLabel') || attribute(a, 'title') || URL.parse(attribute(a, 'href'))?.host;
  if (name && attribute(a, 'href') !== '' && isEmpty(a)) a.children = [{ type: 'text', value: name }];
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

/** Makes an element that is loaded by a script the one for which it stands. */
const standIn =
  (tagName: string) =>
  (element: Element): undefined => {
    element.tagName = tagName;
    if (tagName === 'img' || tagName === 'iframe') element.children = [];
    if (tagName === 'img') image(element);
  };

/** Makes the frame of a player's element: its address ends with the id in an attribute. */
const player =
  (address: string, name: string) =>
  (element: Element): ElementContent[] | undefined => {
    const id = attribute(element, name);
    const titles = ['playlabel', 'videotitle', 'title'].map((label) => attribute(element, label));
    const title = titles.find(Boolean) ?? singleLineText(element);
    return id === '' ? undefined : [h('iframe', { src: address + id, title })];
  };

const RECOVERED: Readonly<
  Record<string, (element: Element, note: NoteLoss) => ElementContent[] | undefined>
> = {
  img: image,
  iframe: loaded,
  audio: loaded,
  video: loaded,
  source: loaded,
  picture,
  span: formatted,
  a: link,
  area: (area) => [
    withText('a', attribute(area, 'alt') || attribute(area, 'href'), { href: area.properties.href }),
  ],
  button: buttonWords,
  dialog: (dialog) => (dialog.properties.open === undefined ? undefined : [h('div', {}, dialog.children)]),
  ul: nestedLists,
  ol: nestedLists,
  map: fallback,
  canvas: fallback,
  meter: fallback,
  progress: fallback,
  svg: svgWords,
  math: rebuiltMath,
  'amp-img': standIn('img'),
  'amp-anim': standIn('img'),
  'amp-video': standIn('video'),
  'amp-audio': standIn('audio'),
  'amp-iframe': standIn('iframe'),
  'amp-carousel': ({ children }) => [h('div', { className: ['gallery'] }, children)],
  'lite-youtube': player('https://www.youtube.com/embed/', 'videoid'),
  'amp-youtube': player('https://www.youtube.com/embed/', 'dataVideoid'),
  'lite-vimeo': player('https://vimeo.com/', 'videoid'),
  'amp-vimeo': player('https://vimeo.com/', 'dataVideoid'),
  'amp-wistia-player': player('https://fast.wistia.net/embed/iframe/', 'dataMediaHashedId'),
  'wistia-player': player('https://fast.wistia.net/embed/iframe/', 'media-id'),
  'amp-soundcloud': player('https://api.soundcloud.com/tracks/', 'dataTrackid'),
  'amp-twitter': player('https://platform.twitter.com/embed/Tweet.html?id=', 'dataTweetid'),
  'amp-instagram': player('https://www.instagram.com/p/', 'dataShortcode'),
  'amp-dailymotion': player('https://www.dailymotion.com/video/', 'dataVideoid'),
  b: isUndone,
  strong: isUndone,
  i: isUndone,
  em: isUndone,
};

const LOADED = /^(?:img|iframe|audio|video)$/;

/** Returns what an image, a frame or a recording loads. Two addresses of one embed are the same. */
function loadedBy(element: Element): string {
  const [source = element] = findAll(element, ({ tagName }) => tagName === 'source');
  const src = attribute(element, 'src') || attribute(source, 'src');
  return embedOf(src)?.page ?? src;
}

const isImage = ({ tagName }: Element) => tagName === 'img';

/** Keeps what a `noscript` shows and the page does not show already. */
function unwrapNoscript(root: Root): void {
  const loading = findAll(root, ({ tagName }) => LOADED.test(tagName) || tagName === 'noscript');
  const shown = new Set(loading.map(loadedBy));
  const spares = loading
    .filter(({ tagName }) => tagName === 'noscript')
    .flatMap((spare) => findAll(spare, isImage));
  const names = new Set(spares.map((img) => attribute(img, 'alt')));
  editChildren(root, (element) => {
    // It keeps the place of an image that a script would load.
    if (isImage(element) && attribute(element, 'src') === '' && names.has(attribute(element, 'alt')))
      return [];
    if (element.tagName !== 'noscript') return undefined;
    editChildren(element, (inner) =>
      LOADED.test(inner.tagName) && shown.has(loadedBy(inner)) ? [] : undefined,
    );
    return element.children;
  });
}

const isWordItem = (node: ElementContent | Root['children'][number] | undefined): node is Element =>
  node?.type === 'element' && node.tagName === 'p' && /mso-list:\s*l\d/i.test(attribute(node, 'style'));

/** Makes lists of the paragraphs that Word writes for their items. */
function listWordItems(root: Root): void {
  const lists: Element[] = [];
  root.children = root.children.flatMap((node, at, nodes): Root['children'] => {
    if (!isWordItem(node))
      return node.type === 'text' && node.value.trim() === '' && isWordItem(nodes[at - 1]) ? [] : [node];
    let marker = '';
    editChildren(node, (inner) => {
      if (!/mso-list:\s*ignore/i.test(attribute(inner, 'style'))) return undefined;
      marker ||= singleLineText(inner);
      return [];
    });
    const follows = nodes.slice(0, at).findLast((before) => before.type === 'element');
    const item = h('li', {}, node.children);
    if (isWordItem(follows)) lists.at(-1)?.children.push(item);
    else lists.push(h(/^\w+[.)]/.test(marker) ? 'ol' : 'ul', {}, [item]));
    return isWordItem(follows) ? [] : lists.slice(-1);
  });
}

/** Recovers what plugins and word processors hide or garble: images, formatting, lists, links of maps. */
export function recover(root: Root, note: NoteLoss): void {
  listWordItems(root);
  editChildren(root, (element) => RECOVERED[element.tagName]?.(element, note));
  unwrapNoscript(root);
}
