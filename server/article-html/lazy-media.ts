import type { Element, ElementContent, Properties } from 'hast';
import { h } from '#server/html/edit-elements.ts';
import {
  attribute,
  attributesLike,
  findAll,
  findByName,
  hasClass,
  isEmpty,
} from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { embedOf } from '#shared/embed-providers.ts';
import type { NoteLoss } from './embeds.ts';
import { loadedFrom } from './links.ts';

/** Attributes in which plugins keep the address of what they load lazily, or after consent. */
const HIDDEN_SOURCE =
  /^(?!src$|.*(?:audio|bind|error|fallback|hover|low|placeholder|poster|thumb|video|viewer)).*(?:src(?:-?cmplz|-_|fg)?|^data(?:original|lazy|(?:flickity)?lazyload|splidelazy|echo|breeze|delayedurl))$/i;
const LAZY_CANDIDATES = ['srcSet', 'dataSrcset', 'dataLazySrcset'];

/** Whether a text is the address of a picture alone. */
export const isPicture = (text: string) =>
  /.\.(?:jpe?g|png|gif|webp|avif|svg)(?:\?|$)/i.test(text) && !/[\s{}<>"']/.test(text);

/** What is no address of a file. */
const NO_ADDRESS = /^(?:data|about|blob|javascript):|\{|^(?:undefined|null)$/i;

/** Returns the address of an image or a frame, also where a plugin hides it. */
export function sourceOf(element: Element): string | undefined {
  const hidden = attributesLike(element, HIDDEN_SOURCE).filter((value) => /[./]/.test(value));
  return [...hidden, attribute(element, 'src'), attribute(element, 'url')].find(
    (value) => value !== '' && !NO_ADDRESS.test(value),
  );
}

/** Returns the widest candidate of an element's `srcset`, also where a plugin hides that. */
function widest(element: Element): string {
  const lists = LAZY_CANDIDATES.map((name) => element.properties[name]);
  const candidates = lists
    .flatMap((list) => (Array.isArray(list) ? list.join(',') : typeof list === 'string' ? list : ''))
    .flatMap((list) => list.split(/(?<=\s[\d.]+[wx]),|,\s/))
    .map((candidate) => candidate.trim().split(/\s+/));
  const sorted = candidates.toSorted(([, a = ''], [, b = '']) => Number.parseFloat(b) - Number.parseFloat(a));
  return sorted.find(([url]) => url && !/^data:/i.test(url))?.[0] ?? '';
}

/** Data attributes, but for those of placeholders of a picture, and of words, such as the name of a file. */
const OF_PICTURE = /^data(?!.*(?:caption|error|fallback|hover|low|name|placeholder|title))/i;

/** Returns the address of the picture that a data attribute names, whatever its name; undefined where none does. */
const pictureIn = (element: Element) => attributesLike(element, OF_PICTURE).find(isPicture);

const HIDDEN = /(?:^|[;\s])(?:width|height):\s*[01]px/i;
const SIZES_IN_STYLE = ['width', 'height'].map(
  (name) => new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d{1,4})(?:\\.\\d{1,3})?px`, 'i'),
);

const MAX_PIXELS = 10_000;

/** Returns a size that an attribute says in pixels; null for none. */
export function pixels(image: Element, name: 'width' | 'height'): number | null {
  // As browsers read it: `640px` and `640.5` are 640.
  const size = Number(/^(\d{1,5})(?:\.\d*)?(?:px)?$/i.exec(attribute(image, name))?.[1] ?? Number.NaN);
  return size <= MAX_PIXELS ? size : null;
}

/**
 * Returns the size of an image: of one that a style hides, as pixels that count readers are, 1 x 1; else that of its style, its
 * attributes, the name of WordPress's smaller files, or Ghost's attribute. Where one of them says a width or a height alone, the
 * other follows from the ratio of the file. Returns nothing where that is not known, but for the width of a style.
 */
export function sizeIn(img: Element): Properties {
  const style = attribute(img, 'style');
  if (HIDDEN.test(style)) return { width: 1, height: 1 };
  const named =
    /-([1-9]\d{1,3})x([1-9]\d{1,3})\.\w{3,4}$/.exec(attribute(img, 'src')) ??
    // So Ghost writes the size in its call to action.
    /^([1-9]\d{1,3})x([1-9]\d{1,3})$/.exec(attribute(img, 'dataImageDimensions'));
  const inName = named?.slice(1).map(Number) ?? [];
  const written = [pixels(img, 'width') ?? 0, pixels(img, 'height') ?? 0];
  const [fileWidth = 0, fileHeight = 0] = Math.min(...written) > 1 ? written : inName;
  const styled = SIZES_IN_STYLE.map((pattern) => Number(pattern.exec(style)?.[1] ?? 0));
  // Of a width that depends on the screen a height says nothing.
  const said = [styled[0] ? styled : [], written, inName];
  const [width = 0, height = 0] = said.find((size) => Math.max(...size) > 0) ?? [];
  if (fileWidth === 0) return styled[0] ? { width, height: height || undefined } : {};
  const scale = Math.max(width / fileWidth, height / fileHeight);
  const scaled = (pixels: number) => Math.max(2, Math.round(pixels * scale));
  return { width: width || scaled(fileWidth), height: height || scaled(fileHeight) };
}

/** Gives an image the address that a plugin hides, or that stands in its candidates alone. Emoji become characters. */
export function recoveredImage(img: Element): ElementContent[] | undefined {
  const src = sourceOf(img);
  const alt = attribute(img, 'alt');
  if (hasClass(img, /^(?:emoji|wp-smiley)$/) && alt !== '') return [{ type: 'text', value: alt }];
  const isPreview = src === attribute(img, 'src') && attribute(img, 'dataSrcset') !== '';
  // Jetpack names the whole file too, which may be far larger than what is shown.
  img.properties.src = (isPreview ? widest(img) : src) || widest(img) || pictureIn(img);
  Object.assign(img.properties, sizeIn(img));
  return undefined;
}

/** Returns the image of a `picture`, with the address of its widest candidate where it has none itself. */
export function recoveredPicture(element: Element): ElementContent[] {
  const img = findByName(element, 'img') ?? h('img', {});
  const sources = findAll(element, 'source');
  if (attribute(img, 'src') === '')
    img.properties.src = sources.map((source) => widest(source)).findLast((url) => url !== '') ?? '';
  return [img];
}

/** Gives a frame, a recording or a source of one the address that a plugin hides. */
export function recoverSource(element: Element): undefined {
  element.properties.src = sourceOf(element);
}

/**
 * A video whose file is the page of a provider's is an embed: so does WordPress write its `video` shortcode. One without a file
 * is the picture that it shows.
 */
export function recoveredVideo(video: Element): ElementContent[] | undefined {
  recoverSource(video);
  const sources = [video, ...findAll(video, 'source')]
    .map((source) => attribute(source, 'src'))
    .filter(Boolean);
  const page = sources.find((src) => embedOf(src) !== null);
  const { title, poster, width, height } = video.properties;
  if (page !== undefined) return [h('iframe', { src: page, title })];
  if (sources.length > 0 || attribute(video, 'poster') === '') return undefined;
  return [h('img', { src: poster, alt: title, width, height }), ...video.children];
}

export const BACKGROUND = /^(?:background$|data.*(?:bg|background|[jp]arallax)|dataImageSrc$)/i;
const WITHOUT_BACKGROUND = /^(?:img|picture|video|audio|iframe|source|input)$/;
const ROWS = /^t(?:body|head|foot|r)$/;

/** Returns the address of the picture behind an element, as its style or an attribute names it; undefined for none. */
function backgroundOf(element: Element): string | undefined {
  const inStyle = /(?:background|bg)(?:-[a-z]{1,20}){0,3}:[^;:]*?url\(\s*["']?([^"')]+)/i.exec(
    attribute(element, 'style'),
  )?.[1];
  if (inStyle !== undefined) return inStyle;
  const named = attributesLike(element, BACKGROUND).map((value) =>
    value.replace(/^url\(["']?|["']?\)$/g, ''),
  );
  return named.find(isPicture) ?? (isEmpty(element) ? pictureIn(element) : undefined);
}

/**
 * Puts the picture that stands behind an element into it, as its first part, unless an image shows it: in the place of one
 * without content, into the first cell of rows, before a list or a table.
 */
export function showBackground(
  element: Element,
  shown: ReadonlySet<string>,
  note: NoteLoss,
): ElementContent[] | undefined {
  const src = WITHOUT_BACKGROUND.test(element.tagName) ? undefined : backgroundOf(element);
  if (src === undefined || NO_ADDRESS.test(src) || shown.has(loadedFrom(src))) return undefined;
  const isPreview =
    hasClass(element, /overlay|poster|preview/) || (!isEmpty(element) && singleLineText(element) === '');
  if (isPreview) {
    note('removed', element.tagName, src);
    return undefined;
  }
  const img = h('img', { src, alt: attribute(element, 'ariaLabel') });
  if (isEmpty(element) && /^(?:div|span|figure)$/.test(element.tagName)) return [img];
  if (/^(?:ul|ol|dl|table)$/.test(element.tagName)) return [img, element];
  const holder = ROWS.test(element.tagName) ? findByName(element, 'td', 'th') : element;
  holder?.children.unshift(img);
  return undefined;
}
