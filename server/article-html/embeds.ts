import type { Element, ElementContent } from 'hast';
import { h, withText } from '#server/html/edit-elements.ts';
import {
  attribute,
  findAll,
  findByClass,
  findByName,
  isCaption,
  isEmpty,
} from '#server/html/find-elements.ts';
import { singleLineText, withoutTags } from '#server/html/text-content.ts';
import { type Embed, embedOf } from '#shared/embed-providers.ts';
import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
import { type BodyOptions, elementFor, isFile, loadedFrom, OWN_SITE, shortName } from './links.ts';

/** What of a body could not be shown: it became a link, or went. */
export interface BodyLoss {
  outcome: 'link' | 'removed';
  element: string;
  /** Of its address, if that is of another site. */
  host: string | null;
}

/** Notes what became a link or went, and the address that it had. */
export type NoteLoss = (outcome: BodyLoss['outcome'], element: string, address?: string) => void;

/** What the steps have in common. */
export interface BodyContext {
  options: BodyOptions;
  note: NoteLoss;
  t: Translate;
}

/** Returns what replaces an element; undefined keeps it, perhaps changed. */
export type EditElement = (element: Element, context: BodyContext) => ElementContent[] | undefined;

function linkToEmbed({ kind, provider, page }: Embed, t: Translate): Element {
  return withText('a', t(en.openEmbed, { kind: t(kind), provider }), { href: page });
}

/** Makes the placeholder of an embed: its title, a link to the original. */
function embedFigure(embed: Embed, title: string, t: Translate): Element {
  const heading = title === '' || /^https?:\S+$/.test(title) ? [] : [withText('p', title)];
  return h('figure', { className: ['b-embed'] }, [...heading, linkToEmbed(embed, t)]);
}

/** Sets the attributes of a placeholder by the link in it. Returns false where that names no embed. */
export function checkEmbed(figure: Element, t: Translate): boolean {
  const link = findByName(figure, 'a');
  const embed = link && embedOf(attribute(link, 'href'));
  if (!link || !embed) return false;
  link.properties.href = embed.page;
  const dataEmbed = t(en.loadEmbed, { kind: t(embed.kind), provider: embed.provider });
  figure.properties = { className: ['b-embed', `b-embed-${embed.kind}`], dataEmbed };
  return true;
}

/** Returns a link that says what and where something is that cannot be shown. */
export function linkTo(url: URL, what: string, t: Translate): Element {
  return withText('a', t(en.openAt, { what, host: url.host }), {
    className: ['b-open'],
    href: url.href,
    rel: ['noopener'],
  });
}

/** Attributes in which elements keep the address of what they show. */
const ADDRESSES = 'src data href dataSrc dataUrl dataHref dataEmbedUrl dataIframeSrc url'.split(' ');
const LABELS = ['title', 'ariaLabel', 'alt', 'dataTitle'];
const SHOWN = ['a', 'img', 'audio', 'video'];

function isAddress(value: string): boolean {
  if (/^(?:https?:)?\/\/?[^\s{}]+$/i.test(value)) return true;
  return /^[^\s{}:]+$/.test(value) && isFile(value);
}

/** Returns the address of what an element shows; empty where it has none. */
export function addressIn(element: Element): string {
  const written = ADDRESSES.map((name) => attribute(element, name));
  const parameters = findAll(element, 'param').map((parameter) => attribute(parameter, 'value'));
  return [...written, ...parameters].find(isAddress) ?? '';
}

/** Returns a link to what a frame, an object or an unknown element would show. */
function linkToShown(tagName: string, url: URL, label: string, t: Translate): Element {
  // The last segment alone: a pattern with a bound of neither end takes time with the square of the address.
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const file = tagName !== 'iframe' && /.\.\w{2,4}$/.test(last) ? last : undefined;
  if (url.origin !== OWN_SITE) return linkTo(url, label ? `“${label}”` : (file ?? t(en.thePage)), t);
  const href = url.href.slice(OWN_SITE.length);
  return withText('a', label || (file ?? href), { className: ['b-open'], href });
}

const ADVERTISERS = /(?:^|\.)(?:doubleclick\.net|googlesyndication\.com|amazon-adsystem\.com)$/;

/** What nobody reads: settings and animations that a script would draw. */
const FOR_SCRIPTS = /\.(?:json|js|css|lottie)$/i;

/** Whether a frame is too small to show anything, or hidden, and so counts readers, or is an advertisement. */
function isTracking(frame: Element, address: string): boolean {
  const isSmall = ['width', 'height'].every((name) => /^[01](?:px)?$/.test(attribute(frame, name)));
  // One with `onload` shows itself then.
  const isHidden =
    /^(?:iframe|object)$/.test(frame.tagName) &&
    frame.properties.onLoad === undefined &&
    (frame.properties.hidden === true ||
      /display:\s*none|visibility:\s*hidden/i.test(attribute(frame, 'style')));
  const host = URL.parse(address, OWN_SITE)?.hostname ?? '';
  return isSmall || (isHidden && embedOf(address) === null) || ADVERTISERS.test(host);
}

/** Returns what replaces a frame, an object or an unknown element: an embed, a link, or else its content or its name. */
export function replacementOf(element: Element, { note, t }: BodyContext): ElementContent[] {
  const { tagName } = element;
  const content = tagName === 'iframe' ? [] : element.children;
  const address = addressIn(element);
  if (isTracking(element, address)) {
    note('removed', tagName, address);
    return [];
  }
  const shown = findAll(element, (inner) => SHOWN.includes(inner.tagName));
  const key = loadedFrom(address);
  if (shown.some((inner) => tagName === 'object' || loadedFrom(addressIn(inner)) === key)) return content;
  const label = withoutTags(attribute(element, ...LABELS));
  const url = address === '' ? null : URL.parse(address, OWN_SITE);
  const embed = embedOf(address);
  const beside = tagName === 'object' ? [] : content;
  if (embed) return [embedFigure(embed, label, t), ...beside];
  if (url === null || url.username !== '' || (tagName !== 'iframe' && FOR_SCRIPTS.test(url.pathname))) {
    note('removed', tagName, address);
    return label === '' || !content.every(isEmpty) ? content : [{ type: 'text', value: label }];
  }
  // A frame shows a page, whatever its address ends with.
  const file = tagName === 'iframe' ? undefined : elementFor(url.pathname);
  // The content of an object that is a picture says what it shows.
  const alt = label || shortName(singleLineText(h('div', {}, content)));
  if (file)
    return [h(file, { src: address, title: label, alt, poster: element.properties.poster }), ...beside];
  note('link', attribute(element, 'replaced') || tagName, address);
  return [linkToShown(tagName, url, label, t), ...content];
}

const NOT_ALONE = ['img', 'figure', 'iframe', 'object', 'embed', 'audio', 'video', 'code', 'pre', 'table'];

/** Returns the embed, or at least the link, of an address that stands alone in a paragraph or in the block of an embed. */
export function loneAddress(element: Element, { t }: BodyContext): ElementContent[] | undefined {
  const text = singleLineText(element);
  if (!/^https?:\/\/\S{3,2000}$/i.test(text) || findByName(element, ...NOT_ALONE)) return undefined;
  const { id } = element.properties;
  const target = id === undefined ? [] : [h('a', { id })];
  const embed = embedOf(text);
  if (embed) return [...target, embedFigure(embed, '', t)];
  return findByName(element, 'a') ? undefined : [h('p', { id }, [withText('a', text, { href: text })])];
}

/** Makes an embed, or a link, of an address that stands alone in a figure. */
export function recogniseAddress(figure: Element, context: BodyContext): undefined {
  const content = figure.children.filter((child) => !isCaption(child));
  const made = loneAddress(h('div', {}, content), context);
  if (made) figure.children = [...made, ...figure.children.filter(isCaption)];
}

function holdsOnly(element: Element, held: Element): boolean {
  return element.children.every((child) => {
    if (child === held || isEmpty(child)) return true;
    return child.type === 'element' && /^(?:div|p|span)$/.test(child.tagName) && holdsOnly(child, held);
  });
}

/** Returns the embed which is all that a figure shows, with its caption. */
export function embedAlone(figure: Element): ElementContent[] | undefined {
  const content = figure.children.filter((child) => !isCaption(child));
  const box = h('div', {}, content);
  const held = findByClass(box, 'b-embed');
  if (!held || !holdsOnly(box, held)) return undefined;
  held.children.push(...figure.children.filter(isCaption));
  return [held];
}

function permalinkOf(post: Element): string {
  const links = findAll(post, 'a').map((a) => attribute(a, 'href'));
  const written = ['dataInstgrmPermalink', 'cite', 'dataTextPostPermalink'].map((name) =>
    attribute(post, name),
  );
  return [...written, ...links.toReversed()].find((address) => embedOf(address) !== null) ?? '';
}

/** A post that is text: a quotation with its author, date and link. */
export function textPost(post: Element, { t }: BodyContext): ElementContent[] {
  const embed = embedOf(permalinkOf(post));
  // Without its words there is nothing but its link.
  const links = findAll(post, 'a').map(singleLineText);
  if (embed && singleLineText(post) === links.join(' ')) return [embedFigure(embed, '', t)];
  const link = embed && !findByName(post, 'a') ? [linkToEmbed(embed, t)] : [];
  // Reddit writes ` by` and a link without a space between them.
  const said = post.children.map((child): ElementContent => {
    const isJoined = child.type === 'text' && /^\s\p{L}+$/u.test(child.value);
    return isJoined ? { ...child, value: `${child.value} ` } : child;
  });
  return [h('blockquote', { className: ['b-post'] }, [...said, ...link])];
}

/** A post that is a picture or a video: an embed whose title is what the post says of itself. */
export function mediaPost(post: Element, context: BodyContext): ElementContent[] {
  const embed = embedOf(permalinkOf(post));
  const said = findAll(post, 'p').map(singleLineText).filter(Boolean);
  return embed ? [embedFigure(embed, said.join(' '), context.t)] : textPost(post, context);
}
