import type { Element, ElementContent, Properties } from 'hast';
import { createImageResolver } from '#server/cms/normalise/normalise-image.ts';
import { h } from '#server/html/edit-elements.ts';
import { attribute, classesOf, findAll } from '#server/html/find-elements.ts';
import { canonicalPath } from '#shared/canonical-path.ts';
import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
import { imageSources } from '#shared/urls.ts';
import { type BodyContext, linkTo, type NoteLoss } from './embeds.ts';
import { pixels, sizeIn } from './lazy-media.ts';
import { type BodyOptions, elementFor, fileNameOf, mediaUrl, securedLink } from './links.ts';

/** Returns the addresses of what an `img` shows; null where it has none. `isSized`: its width is known. */
type ImageReader = (properties: Properties, isSized: boolean) => Properties | null;

const WIDTH = 1000;
const WIDTHS = [500, 700, 1000, 1200];
/** Width of the text: `--measure` of `client/styles/tokens.css`, or of its column where that is narrower. */
const SIZES =
  '(min-width: 1080px) 640px, (min-width: 64em) calc(100vw - 440px), (min-width: 43em) 640px, calc(100vw - 2rem)';
/** The same of a wide picture, which begins at the page's edge where there is room, and is else as wide as the column. */
const WIDE_SIZES =
  '(min-width: 74.9375em) min(744px, 50vw + 100px), (min-width: 1080px) 640px, (min-width: 64em) calc(100vw - 440px), (min-width: 43em) calc(100vw - 3rem), calc(100vw - 2rem)';
const WIDE = ['b-wide', 'b-full'];

/** Images by which press wires count readers, of a size that they do not say. */
const COUNTERS =
  /^https:\/\/(?:cts\.businesswire\.com\/ct\/CT\?id=bwnews|www\.globenewswire\.com\/newsroom\/ti\?)/;

/** Whether an image is as small as one that counts readers. WordPress writes that size for a drawing, whose own it does not know. */
function isPixel(image: Element): boolean {
  if (COUNTERS.test(attribute(image, 'src'))) return true;
  const sizes = [pixels(image, 'width'), pixels(image, 'height')].filter((size) => size !== null);
  return sizes.length > 0 && Math.max(...sizes) <= 1 && !/\.svgz?(?:[?#]|$)/i.test(attribute(image, 'src'));
}

const SHAPES = ['b-portrait', 'b-inline'];
/** Pixels of emoji and icons, which stand in a line. */
const MAX_INLINE = 48;

function shapeOf({ width, height }: { width: number; height: number }): string[] {
  if (Math.max(width, height) <= MAX_INLINE) return ['b-inline'];
  return height > width ? ['b-portrait'] : [];
}

/**
 * Returns the addresses of a picture of the image host. One of unknown width has a single candidate, as wide as `sizes` says: a
 * file that is smaller than it claims would be drawn ever smaller on finer screens.
 */
function sourcesOf(image: string, isSized: boolean): Properties {
  if (isSized) return { ...imageSources(image, WIDTH, SIZES, WIDTHS) };
  const { src } = imageSources(image, WIDTH, undefined);
  return { src, srcSet: `${src} ${WIDTH}w`, sizes: `${WIDTH}px` };
}

/** Returns the image of an `img` that an earlier pass has rebuilt: its candidates are those that only a rebuilt one has. */
function rebuiltBefore({ src, srcSet }: Properties, below: string, isSized: boolean): string | null {
  const image = String(src).replace(/\?width=\d+$/, '');
  const candidates = Array.isArray(srcSet) ? srcSet.join(', ') : srcSet;
  const isOurs = image.startsWith(`${below}/`) && canonicalPath(image) === image;
  return isOurs && sourcesOf(image, isSized).srcSet === candidates ? image : null;
}

/**
 * Makes the reader of images of an image host. A result of its own passes through unchanged. By its path alone it could be an
 * upstream's path below the same folder of another host, so it is recognised by its candidates. Where this site resizes pictures,
 * those that it cannot are read from their host, and animations too.
 */
export function createImageReader(options: BodyOptions): ImageReader {
  const { imageHost, imagesServedBelow } = options;
  const imageOf = createImageResolver(imageHost, imagesServedBelow);
  return (properties, isSized) => {
    const src = typeof properties.src === 'string' ? properties.src.trim() : '';
    const before = imagesServedBelow === null ? null : rebuiltBefore(properties, imagesServedBelow, isSized);
    if (before !== null) return sourcesOf(before, isSized);
    const isAbsolute = /^(?:https?:)?\/\//i.test(src);
    const original = mediaUrl(src, { ...options, imagesServedBelow: null });
    const hosted = imageOf(isAbsolute ? (original ?? src) : src);
    if (hosted === null) return isAbsolute && original !== null ? { src: original } : null;
    if (imagesServedBelow === null) return sourcesOf(hosted, isSized);
    if (!hosted.startsWith('/')) return { src: hosted };
    // A resized animation is its first frame, and a program of the host is nothing without its query.
    const isWhole = /\.gif$/i.test(hosted) || (src.includes('?') && elementFor(hosted) !== 'img');
    if (isWhole && original?.startsWith('https:')) return { src: original };
    return sourcesOf(hosted, isSized);
  };
}

/** Returns an image: ours at the widths of a page, another as it is over https; its words where it has no address; nothing for a tracking pixel. */
export function rebuiltImage(image: Element, imageIn: ImageReader, note: NoteLoss): ElementContent[] {
  const { properties } = image;
  // One that a step before has made of a background, or of an object, has none yet.
  Object.assign(properties, sizeIn(image));
  const [width, height] = [pixels(image, 'width') ?? 0, pixels(image, 'height')];
  const size = height !== null && Math.min(width, height) > 1 ? { width, height } : null;
  // A width alone reserves no space, as none does, but without it a picture would be as wide as the text.
  const alone = height === null && width > 1 && { width };
  const source = imageIn(properties, Boolean(size ?? alone));
  const alt = attribute(image, 'alt');
  if (source === null || isPixel(image)) {
    note('removed', 'img', attribute(image, 'src'));
    return source === null && alt !== '' ? [{ type: 'text', value: alt }] : [];
  }
  const kept = classesOf(image).filter((name) => !SHAPES.includes(name));
  const className = size ? [...kept, ...shapeOf(size)] : kept;
  const shown = className.length > 0 && { className };
  return [h('img', { ...shown, ...source, alt, ...(size ?? alone), loading: 'lazy', decoding: 'async' })];
}

/** Names the width of a picture that stands alone in a wide figure, and is rebuilt already. */
export function widenSizes(figure: Element): void {
  const classes = classesOf(figure);
  if (classes.includes('b-gallery') || !classes.some((name) => WIDE.includes(name))) return;
  for (const { properties } of findAll(figure, 'img'))
    if (properties.sizes !== undefined && properties.width !== undefined) properties.sizes = WIDE_SIZES;
}

const SIZE = /^[1-9]\d{1,3}$/;

function sourceOf(element: Element, options: BodyOptions): Element[] {
  const src = mediaUrl(element.properties.src, options);
  const type = attribute(element, 'type');
  return src === null
    ? []
    : [h('source', { src, ...(/^(?:audio|video)\/[\w.+-]{1,40}$/.test(type) && { type }) })];
}

/**
 * Returns the captions of a recording, or a link to those that the browser would not load: of another host it wants CORS,
 * which the author says by `crossorigin`. Set by us it would stop a recording whose host has none. With `default` they would be
 * loaded before anybody asks: the allow-list leaves it out.
 */
function captionsOf(recording: Element, options: BodyOptions, t: Translate): Element[] {
  const tracks = findAll(recording, 'track');
  return tracks.flatMap(({ properties: { src: written, ...properties } }) => {
    const src = mediaUrl(written, options);
    if (src === null) return [];
    const url = new URL(src, options.publicOrigin);
    const loads = recording.properties.crossOrigin !== undefined || url.origin === options.publicOrigin;
    return [loads ? h('track', { src, ...properties }) : linkTo(url, t(en.theCaptions), t)];
  });
}

function videoProperties(video: Element, options: BodyOptions): Properties {
  const poster = mediaUrl(video.properties.poster, options);
  const [width, height] = [attribute(video, 'width'), attribute(video, 'height')];
  return {
    ...(poster !== null && { poster }),
    ...(SIZE.test(width) && SIZE.test(height) && { width: Number(width), height: Number(height) }),
    playsInline: true,
  };
}

/** Returns links to files that the author names beside those that are played, and to one that its host may only have over http. */
function otherFiles(recording: Element, sources: readonly Element[], t: Translate): Element[] {
  const played = new Set(sources.map((source) => fileNameOf(attribute(source, 'src'))));
  const links = findAll(recording, 'a');
  const others = links.filter((link) => !played.has(fileNameOf(attribute(link, 'href'))));
  const written = [recording, ...findAll(recording, 'source')];
  const plain = written
    .map((source) => URL.parse(attribute(source, 'src')))
    .find(
      (url) => url?.protocol === 'http:' && !sources.some(({ properties }) => properties.src === url.href),
    );
  return plain ? [...others, linkTo(plain, fileNameOf(plain.href) || t(en.thePage), t)] : others;
}

/** Returns an `audio` or `video` with the browser's controls, which loads nothing by itself; nothing for one without a source. */
export function rebuiltMedia(element: Element, { options, note, t }: BodyContext): Element[] {
  const { tagName } = element;
  const inner = findAll(element, 'source');
  const sources = [element, ...inner].flatMap((source) => sourceOf(source, options));
  const [first] = sources;
  const others = otherFiles(element, sources, t);
  if (!first) {
    if (others.length === 0) note('removed', tagName);
    return others;
  }
  const captions = captionsOf(element, options, t);
  const links = captions.filter((caption) => caption.tagName === 'a');
  for (const link of links) note('link', 'track', attribute(link, 'href'));
  const title = attribute(element, 'title') || fileNameOf(String(first.properties.src));
  const properties = {
    controls: true,
    preload: 'none',
    title,
    ...(element.properties.crossOrigin !== undefined && { crossOrigin: 'anonymous' }),
    ...(tagName === 'video' && videoProperties(element, options)),
  };
  const tracks = captions.filter((caption) => caption.tagName === 'track');
  const beside = [...links, ...others];
  for (const link of beside) link.properties = securedLink(link, options);
  return [h(tagName, properties, [...sources, ...tracks]), ...beside];
}
