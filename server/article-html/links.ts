import type { Element, ElementContent, Properties } from 'hast';
import { shorten } from '#server/cms/normalise/normalise-text.ts';
import { attribute, findAll, isCaption, isEmpty } from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { embedOf } from '#shared/embed-providers.ts';
import { isFilePath } from '#shared/non-page-path.ts';
import type { SiteSettings } from '#shared/site.ts';

/** Plain data: a body may be rendered on another thread. */
export interface BodyOptions {
  /** IMAGE_HOST, or a base path of our own site such as `/media`: where pictures, and files of relative links, are. */
  imageHost: string;
  /** Path of our own site that serves resized pictures of `imageHost`; null where browsers ask `imageHost` itself. */
  imagesServedBelow: string | null;
  /** PUBLIC_ORIGIN: links to it are navigations. */
  publicOrigin: string;
  /** Path of the page that shows the body. */
  page?: string;
  /** The body is paid for: each of its links to another site says so. */
  isSponsored?: boolean;
  /** Texts of the interface in the site's language. Default: English. */
  texts?: SiteSettings['texts'] | undefined;
}

/** Base for parsing hrefs; never part of a result. */
export const OWN_SITE = 'https://own-site.invalid';

/** Returns the host of an address that is of another site; null for any other. */
export function otherHostOf(address: string): string | null {
  const url = URL.parse(address, OWN_SITE);
  return url === null || url.origin === OWN_SITE ? null : url.host || null;
}

/** Schemes of links. Those of other programs open nothing by themselves. */
export const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel', 'sms', 'whatsapp'];
const MAX_LENGTH = 4096;
/** What a link says of why it is there: a paid one must say so, by law. */
const KEPT_RELS = ['sponsored', 'nofollow', 'ugc'];

/** Returns those that a link says: in any case, with spaces or commas between them. */
export function keptRels({ properties: { rel } }: Element): string[] {
  const words = String(rel ?? '')
    .toLowerCase()
    .split(/[\s,]+/);
  return KEPT_RELS.filter((word) => words.includes(word));
}

/** Returns a URL of our own site as a path. A path that begins with two slashes names another host. */
function pathOf(url: URL): string {
  return `/${url.pathname.replace(/^\/+/, '')}${url.search}${url.hash}`;
}

/** Pictures that this site resizes; of an animation it would serve the first frame. */
const RESIZED = /\.(?:jpe?g|png|webp|avif)$/i;

/** Query of the largest width that this site serves: it also tells a link that was made here from one of the body's own. */
const LARGEST = '?width=2000';

/**
 * Returns where a file of a relative URL is: below the image host, if it does not say so itself. A picture that this site serves
 * is here: its host may be one that no reader reaches, such as the adapter for WordPress.
 */
function fileUrl(url: URL, { imageHost, imagesServedBelow }: BodyOptions): string {
  const base = imageHost.replace(/\/+$/, '');
  const folder = base.replace(/^https?:\/\/[^/]+/, '');
  const written = pathOf(url);
  const path = folder !== '' && written.startsWith(`${folder}/`) ? written.slice(folder.length) : written;
  if (imagesServedBelow === null || !RESIZED.test(url.pathname)) return base + path;
  // What an earlier pass has made.
  if (url.search === LARGEST && written.startsWith(`${imagesServedBelow}/`)) return written;
  return imagesServedBelow + path.replace(/[?#].*$/, '') + LARGEST;
}

/** Writes the scheme of each address of an element as the allow-list knows it. */
export function normaliseSchemes(element: Element): void {
  for (const name of ['href', 'src', 'poster'])
    if (typeof element.properties[name] === 'string')
      element.properties[name] = attribute(element, name).replace(/^[a-z]+:/i, (scheme) =>
        scheme.toLowerCase(),
      );
}

/** The redirect that Google Docs puts into links, to count who follows them. */
const REDIRECT = /^https:\/\/www\.google\.com\/url\?/;

/** Returns the page to which a redirect leads, as its address names it; any other URL as it is. */
function destination(url: URL | null): URL | null {
  if (url === null || !REDIRECT.test(url.href)) return url;
  const named = url.searchParams.get('q') ?? '';
  return /^https?:/.test(named) ? URL.parse(named) : url;
}

/** An address as it is typed, which a browser would take for one of this site. */
const WITHOUT_SCHEME = /^www\.[\w-]+\.[\w.-]+(?:[/?#]|$)/i;

function parsed(value: unknown): URL | null {
  const href = typeof value === 'string' && value.length <= MAX_LENGTH ? value.trim() : '';
  const whole = WITHOUT_SCHEME.test(href) ? `https://${href}` : href;
  const url = href === '' ? null : destination(URL.parse(whole, `${OWN_SITE}/`));
  return url !== null && LINK_SCHEMES.includes(url.protocol.slice(0, -1)) && url.password === '' ? url : null;
}

/**
 * Returns the address of a picture, an episode or a video file, over https, as the page's policy wants it and browsers ask for
 * it: `imageHost` alone, which an operator has chosen, may be without.
 */
export function mediaUrl(value: unknown, options: BodyOptions): string | null {
  const url = parsed(value);
  if (url === null || url.username !== '' || !/^https?:$/.test(url.protocol)) return null;
  if (url.origin === OWN_SITE) return fileUrl(url, options);
  const host = URL.parse(options.imageHost);
  url.protocol = host?.host === url.host ? host.protocol : 'https:';
  return url.href;
}

/** Whether a link leads where no link of ours does, such as to a script. */
export function isRefused(link: Element): boolean {
  return attribute(link, 'href') !== '' && !isEmpty(link) && parsed(attribute(link, 'href')) === null;
}

function hrefOf(value: unknown, options: BodyOptions): string | null {
  const url = parsed(value);
  if (url === null) return null;
  if (url.origin === OWN_SITE) {
    if (String(value).trim().startsWith('#')) return url.hash || null;
    return isFilePath(url.pathname) ? fileUrl(url, options) : pathOf(url);
  }
  // Written before the site had TLS, too.
  const isOwn = url.host === URL.parse(options.publicOrigin)?.host && /^https?:$/.test(url.protocol);
  return isOwn && !isFilePath(url.pathname) ? pathOf(url) : url.href;
}

/** Whether an address is that of a file which a CMS keeps. */
export function isFile(address: string): boolean {
  return isFilePath(URL.parse(address, OWN_SITE)?.pathname ?? '');
}

const FILES: readonly (readonly [RegExp, 'img' | 'audio' | 'video'])[] = [
  [/\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i, 'img'],
  [/\.(?:mp3|m4a|ogg|wav)(?:\?|$)/i, 'audio'],
  [/\.(?:mp4|m4v|webm|mov)(?:\?|$)/i, 'video'],
];

/** Returns the name of the element that shows a file, by the type in its address; undefined for any other address. */
export function elementFor(address: string): 'img' | 'audio' | 'video' | undefined {
  return FILES.find(([pattern]) => pattern.test(address))?.[1];
}

/** Whether an address is that of a sound or a film. */
export const isRecording = (address: string) => /audio|video/.test(elementFor(address) ?? '');

/** What plugins add to the address of a picture: a smaller size (`_c`: cropped), another format, what a service makes of it. */
const VARIANT = /(?:-\d+x\d+(?:_c)?)?(\.(?:jpe?g|png|gif|webp|avif))(?:\.(?:webp|avif))?(?:\?.*)?$/is;

/**
 * Returns the key by which two addresses of one embed, recording or picture are equal, whatever second it starts at and whatever
 * size it has. A recording is known by its name and its folder: the rest may be written in several ways.
 */
export function loadedFrom(address: string): string {
  const embed = embedOf(address);
  if (embed) return `${embed.provider} ${embed.provider === 'YouTube' ? embed.id.split('/')[0] : embed.id}`;
  const shownBy = elementFor(address);
  if (shownBy === undefined) return address;
  if (shownBy === 'img') return address.replace(VARIANT, '$1');
  return URL.parse(address, OWN_SITE)?.pathname.split('/').slice(-2).join('/') ?? address;
}

/** Returns the name of the file of an address; empty where it has none. */
export function fileNameOf(src: string): string {
  const file = src.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/** Pages of networks that share an address, and a message that is to nobody yet. */
export const SHARING =
  /^(?:mailto|sms):\?|^(?:https?:)?\/\/(?:www\.|api\.)?(?:share\.flipboard\.com|plus\.google\.com\/share|facebook\.com\/sharer|(?:twitter|x)\.com\/(?:intent|share)|bsky\.app\/intent|linkedin\.com\/(?:shareArticle|sharing)|pinterest\.com\/pin\/create|reddit\.com\/submit|whatsapp\.com\/send\?text|(?:t|telegram)\.me\/share|addtoany\.com)/i;

/** Buttons and counters of networks, of which nothing stays. */
export const SOCIAL = /like|share|follow|comment|addthis/i;

/** Characters of a name. */
const MAX_NAME = 200;

/** Returns a text as the name of something. A long one would multiply a body: many links may bear it, and many tables. */
export const shortName = (text: string) => shorten(text, MAX_NAME);

/** Returns the fragment of an address of the page itself, as plugins of contents lists and of notes write it; null for any other. */
function placeHere(value: unknown, { page, publicOrigin }: BodyOptions): string | null {
  const url = parsed(value);
  const isOwn = url !== null && (url.origin === OWN_SITE || url.host === URL.parse(publicOrigin)?.host);
  return isOwn && url.pathname.replace(/\/$/, '') === page ? url.hash || null : null;
}

/** Gives a link that shows nothing but an icon words: its name, or where it leads. One that shares the page goes. */
export function recoveredLink(a: Element, options: BodyOptions): ElementContent[] | undefined {
  a.properties.href = placeHere(a.properties.href, options) ?? a.properties.href;
  const href = attribute(a, 'href');
  if (isEmpty(a) && SHARING.test(href)) return [];
  const isDownload = isFile(href) && elementFor(href) === undefined;
  // Generators of maps leave links without content of which no style and no script makes anything.
  const isVisible =
    a.children.length > 0 || Object.keys(a.properties).some((name) => /^(?:class|data)/.test(name));
  const place = isVisible && (isDownload ? fileNameOf(href) : URL.parse(href)?.host);
  const name = shortName(attribute(a, 'ariaLabel', 'title')) || place;
  if (name && /^[^#]/.test(href) && isEmpty(a)) a.children = [{ type: 'text', value: name }];
  return undefined;
}

/** Whether a link shows nothing but pictures without words. */
function isNameless(link: Element): boolean {
  const saysMore = ({ tagName, properties }: Element) =>
    (tagName === 'img' && properties.alt !== undefined && properties.alt !== '') ||
    /^(?:audio|video)$/.test(tagName);
  return singleLineText(link) === '' && findAll(link, saysMore).length === 0;
}

/** Names the links of a figure's pictures by its caption where nothing else does. */
export function nameByCaption(figure: Element): void {
  const caption = figure.children.find(isCaption);
  const text = caption ? shortName(singleLineText(caption)) : '';
  for (const link of findAll(figure, 'a'))
    if (text !== '' && attribute(link, 'ariaLabel') === '' && isNameless(link))
      link.properties.ariaLabel = text;
}

/** Returns the name of a link to `href` that shows nothing but pictures without words; null for any other. */
function nameOf(link: Element, href: string): string | null {
  if (!isNameless(link)) return null;
  const written = attribute(link, 'ariaLabel', 'title');
  return shortName(written) || fileNameOf(href) || URL.parse(href)?.host || href;
}

/**
 * Returns the attributes of a link to a web, mail or telephone URL, in its normal form; of another link, and of one that
 * shows nothing, only the id, if it has one. Editors name anchors by `name` too, which HTML replaced by `id`.
 */
export function securedLink(link: Element, options: BodyOptions): Properties {
  const { id, name, download, className } = link.properties;
  const href = isEmpty(link) ? null : hrefOf(link.properties.href, options);
  const target = id ?? name;
  const ariaLabel = href === null ? null : nameOf(link, href);
  const leaves = href !== null && /^https?:/.test(href);
  const rels = new Set([
    ...(leaves ? ['noopener'] : []),
    ...(leaves && options.isSponsored ? ['sponsored'] : []),
    ...keptRels(link),
  ]);
  return {
    ...(href !== null && className !== undefined && { className }),
    ...(href !== null && { href }),
    ...(ariaLabel !== null && { ariaLabel }),
    ...(href !== null && rels.size > 0 && { rel: [...rels] }),
    ...(href !== null && download !== undefined && { download: true }),
    ...(target !== undefined && { id: target }),
  };
}
