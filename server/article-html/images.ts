import type { Element, Properties } from 'hast';
import type { ImageResolver } from '#server/cms/normalise/normalise-image.ts';
import { imageSources } from '#shared/urls.ts';

const WIDTH = 1000;
const WIDTHS = [500, 700, 1000, 1200];
/** Width of the text: `--measure` of `client/styles/tokens.css`, or of its column where that is narrower. */
const SIZES =
  '(min-width: 1080px) 640px, (min-width: 64em) calc(100vw - 440px), (min-width: 43em) 640px, calc(100vw - 2rem)';
const MAX_PIXELS = 10_000;

/** Reads a size attribute: undefined where there is none, null where it is no size. */
function pixels(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return undefined;
  const text = String(value).trim();
  return /^\d{1,5}$/.test(text) && Number(text) <= MAX_PIXELS ? Number(text) : null;
}

function isTrackingPixel(sizes: (number | null | undefined)[]): boolean {
  return sizes.some((size) => typeof size === 'number' && size <= 1);
}

/** Both or none: one alone reserves no space. */
function sizeOf(width: number | null | undefined, height: number | null | undefined): Properties {
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : {};
}

/** Returns the URL of an image of another host, over https: browsers block mixed content. */
function foreignUrl(src: string): string | null {
  const url = /^(https?:)?\/\//i.test(src) ? URL.parse(src, 'https://own-site.invalid') : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  url.protocol = 'https:';
  return url.href;
}

function sourceOf(value: unknown, imageOf: ImageResolver): Properties | null {
  if (typeof value !== 'string') return null;
  const hosted = imageOf(value);
  if (hosted !== null) return { ...imageSources(hosted, WIDTH, SIZES, WIDTHS) };
  const foreign = foreignUrl(value.trim());
  return foreign === null ? null : { src: foreign };
}

/** Returns an image: ours at the widths of a page, another as it is over https; nothing for a tracking pixel. */
export function rebuiltImage({ properties }: Element, imageOf: ImageResolver): Element[] {
  const source = sourceOf(properties.src, imageOf);
  const [width, height] = [pixels(properties.width), pixels(properties.height)];
  if (source === null || isTrackingPixel([width, height])) return [];
  const alt = typeof properties.alt === 'string' ? properties.alt : '';
  const rendered = { ...source, alt, ...sizeOf(width, height), loading: 'lazy', decoding: 'async' };
  return [{ type: 'element', tagName: 'img', properties: rendered, children: [] }];
}
