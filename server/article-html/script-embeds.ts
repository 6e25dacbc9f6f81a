import type { Element, ElementContent } from 'hast';
import { z } from 'zod';
import { h, withText } from '#server/html/edit-elements.ts';
import {
  attribute,
  attributesLike,
  classesOf,
  findAll,
  findByName,
  hasClass,
  isEmpty,
} from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { embedOf } from '#shared/embed-providers.ts';
import * as en from '#shared/texts/en.ts';
import { BACKGROUND } from './lazy-media.ts';
import { elementFor, isRecording, loadedFrom, SOCIAL } from './links.ts';

const BRIGHTCOVE = 'https://players.brightcove.net/{dataAccount}';

/**
 * Address of what a script would show in an element, by the element's name, a class of it, or `script`. Names in braces are
 * attributes, or beginnings of classes. A row fits where the element has all of them.
 */
const ADDRESSES = Map.groupBy(
  [
    ['lite-youtube', 'https://www.youtube.com/embed/{videoid}'],
    ['amp-youtube', 'https://www.youtube.com/embed/{dataVideoid}'],
    ['lite-vimeo', 'https://vimeo.com/{videoid}'],
    ['amp-vimeo', 'https://vimeo.com/{dataVideoid}'],
    ['wistia-player', 'https://fast.wistia.net/embed/iframe/{media-id}'],
    ['amp-wistia-player', 'https://fast.wistia.net/embed/iframe/{dataMediaHashedId}'],
    ['wistia_embed', 'https://fast.wistia.net/embed/iframe/{wistia_async_}'],
    ['amp-soundcloud', 'https://api.soundcloud.com/tracks/{dataTrackid}'],
    ['amp-soundcloud', 'https://api.soundcloud.com/playlists/{dataPlaylistid}'],
    ['amp-twitter', 'https://platform.twitter.com/embed/Tweet.html?id={dataTweetid}'],
    ['div', 'https://platform.twitter.com/embed/Tweet.html?id={dataLexicalTweetId}'],
    ['amp-instagram', 'https://www.instagram.com/p/{dataShortcode}'],
    ['amp-tiktok', 'https://www.tiktok.com/embed/v2/{dataSrc}'],
    ['amp-dailymotion', 'https://www.dailymotion.com/video/{dataVideoid}'],
    ['amp-brightcove', `${BRIGHTCOVE}/{dataPlayerId}_{dataEmbed}/index.html?videoId={dataVideoId}`],
    ['amp-brightcove', `${BRIGHTCOVE}/default_default/index.html?videoId={dataVideoId}`],
    ['video-js', `${BRIGHTCOVE}/default_default/index.html?videoId={dataVideoId}`],
    ['mux-player', 'https://player.mux.com/{playback-id}'],
    ['mux-video', 'https://player.mux.com/{playback-id}'],
    ['youtube-embed', 'https://www.youtube.com/embed/{video-id}'],
    ['amp-jwplayer', 'https://cdn.jwplayer.com/players/{dataMediaId}-{dataPlayerId}.html'],
    ['amp-gist', 'https://gist.github.com/{dataGistid}'],
    ['amp-imgur', 'https://imgur.com/{dataImgurId}'],
    ['amp-iframely', 'https://iframely.net/{dataId}'],
    ['amp-megaphone-player', 'https://playlist.megaphone.fm/?e={dataEpisode}'],
    ['flourish-embed', 'https://flo.uri.sh/{dataSrc}/embed'],
    ['infogram-embed', 'https://infogram.com/{dataId}'],
    ['speakerdeck-embed', 'https://speakerdeck.com/player/{dataId}'],
    ['issuuembed', 'https://e.issuu.com/embed.html#{dataConfigid}'],
    ['vidyard-player-embed', 'https://play.vidyard.com/{dataUuid}'],
    ['podigee-podcast-player', '{dataConfiguration}'],
    ['strava-embed-placeholder', 'https://www.strava.com/activities/{dataEmbedId}'],
    ['script', 'https://t.me/{dataTelegramPost}'],
    ['div', 'https://form.typeform.com/to/{dataTfWidget}'],
  ] as const,
  ([name]): string => name,
);

/** Scripts that write what their own address names, and the address of that. */
const SCRIPTS: readonly (readonly [script: RegExp, address: string])[] = [
  [/^https:\/\/gist\.github\.com\/((?:[\w-]+\/)?\w+)\.js.*/, 'https://gist.github.com/$1'],
  [/^https:\/\/play\.vidyard\.com\/([\w-]+)\.js.*/, 'https://play.vidyard.com/$1'],
  [/^(https:\/\/medium\.com\/media\/\w+\/href)$/, '$1'],
  [/^https:\/\/app\.everviz\.com\/inject\/([\w-]+)\/.*/, 'https://app.everviz.com/embed/$1/'],
  [/^https:\/\/jsfiddle\.net\/((?:\w+\/){1,2})embed\/.*/, 'https://jsfiddle.net/$1'],
  [/^https:\/\/asciinema\.org\/a\/(\w+)\.js.*/, 'https://asciinema.org/a/$1'],
  [/^https:\/\/e\.infogram\.com\/js\/[\w/.-]+\?([\w-]+).*/, 'https://infogram.com/$1'],
  [
    /^(https:\/\/cdnapi(?:sec)?\.kaltura\.com\/p\/[\w/]+)\?(?:[^#]*&)?entry_id=(\w+).*/,
    '$1?iframeembed=true&entry_id=$2',
  ],
  [
    /^https:\/\/(?:cdn\.jwplayer|content\.jwplatform)\.com\/players\/([\w-]+)\.js.*/,
    'https://cdn.jwplayer.com/players/$1.html',
  ],
];

/** Elements that a script would fill. */
const HOLDER = /^(?:li|script|div|span|p|section|figure|blockquote|img|video)$|-/;
/** Elements whose settings name what a plugin shows, also where they hold its preview. */
const WITH_PREVIEW = /^(?:fb-post|fb-video|elementor-widget-video)$/;
const NAMED = ['dataSrc', 'dataUrl', 'dataHref', 'dataEmbedUrl', 'dataIframeSrc'];

function filled(address: string, element: Element): string {
  let isWhole = true;
  const whole = address.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const named = classesOf(element).find((each) => each.startsWith(name));
    const value = attribute(element, name) || (named?.slice(name.length) ?? '');
    isWhole &&= value !== '';
    return value;
  });
  return isWhole ? whole : '';
}

/** Returns the address of the recording that a script without a file gives to its player. Data of search engines is none. */
function ofSettings(script: Element): string {
  const [code] = script.children;
  if (code?.type !== 'text' || /json/i.test(attribute(script, 'type'))) return '';
  const named = [...code.value.replaceAll('\\/', '/').matchAll(/(["'])(https?:[^"'\s]+)\1/g)];
  return named.map(([, , address = '']) => address).find(isRecording) ?? '';
}

function ofScript(element: Element): string {
  const src = attribute(element, 'src');
  if (src === '') return ofSettings(element);
  const address = src.replace(/^(?:https?:)?\/\//, 'https://');
  const [script, page = ''] = SCRIPTS.find(([pattern]) => pattern.test(address)) ?? [];
  if (script) return address.replace(script, page);
  return embedOf(address) && !address.includes('.jsonp') ? address : '';
}

/** Returns a text of the settings, as JSON, that Substack keeps of a block. */
function setting(element: Element, name: string): string | undefined {
  const settings = attribute(element, 'dataAttrs');
  if (settings === '') return undefined;
  const [, value] = new RegExp(`"${name}":"((?:[^"\\\\]|\\\\.)*)"`).exec(settings) ?? [];
  return value === undefined ? undefined : parsedBy(z.string(), `"${value}"`);
}

/** Returns the address of a video whose provider an element's names say, and whose id stands in a data attribute. */
function ofVideo(element: Element, names: readonly string[]): string {
  const providers = attributesLike(element, /^data(?:PlyrProvider|Provider|Service)$/);
  const said = [...names, ...classesOf(element), ...providers].join(' ');
  const isHeld = findByName(element, 'iframe', 'video', 'object') !== undefined;
  if (!/youtube|vimeo/i.test(said) || isHeld || singleLineText(element) !== '') return '';
  const values = names
    .filter((name) => /(?:id|embed|video|youtube|vimeo)$/i.test(name))
    .map((name) => attribute(element, name));
  const id = values.find((value) => (/youtube/i.test(said) ? /^[\w-]{11}$/ : /^\d{6,12}$/).test(value));
  if (id === undefined) return '';
  return /youtube/i.test(said) ? `https://www.youtube.com/embed/${id}` : `https://vimeo.com/${id}`;
}

/** Whether an element shows one picture alone, to click for a player. Elementor's settings name the video behind a section. */
function isFacade(element: Element): boolean {
  const isHeld = findByName(element, 'a', 'iframe', 'video', 'audio', 'object') !== undefined;
  if (isHeld || attribute(element, 'dataSettings') !== '') return false;
  return findAll(element, 'img').length === 1 && singleLineText(element) === '';
}

/** Returns the address that the data attributes of an element name. They may be settings, as JSON or HTML. */
function ofData(element: Element): string {
  const { properties } = element;
  const names = Object.keys(properties).filter((name) => name.startsWith('data'));
  // An item holds the place of its player.
  if (names.length === 0 || element.tagName === 'li') return '';
  const video = ofVideo(element, names);
  if (video !== '') return video;
  const isFree = isEmpty(element);
  if (!isFree && !isFacade(element) && !hasClass(element, WITH_PREVIEW)) return '';
  const values = names.map((name) => String(properties[name]).replaceAll('\\/', '/'));
  const addresses = values.flatMap((value) => value.match(/(?:https?:)?\/\/[^\s"'<>]+/) ?? []);
  const isKnown = (address: string) =>
    embedOf(address) !== null || isRecording(address) || /\.pdf(?:\?|$)/i.test(address);
  const known = addresses.find(isKnown);
  if (known !== undefined || !isFree || hasClass(element, SOCIAL)) return known ?? '';
  const named = [...NAMED.map((name) => attribute(element, name)), setting(element, 'canonical_url') ?? ''];
  return named.find((value) => /^(?:https?:)?\/\/[^\s{}]+$/.test(value)) ?? '';
}

/** Reads JSON that stands in markup; undefined where it is not as expected. */
export function parsedBy<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const Attachment = z.object({
  url: z.string().optional(),
  href: z.string().optional(),
  contentType: z.string().default(''),
  filename: z.string().default(''),
});
const AttachmentSettings = z.object({ caption: z.string() });

/** A file that Trix attached, as its JSON names it. */
function attached(figure: Element): ElementContent[] | undefined {
  const file = parsedBy(Attachment, attribute(figure, 'dataTrixAttachment'));
  const src = file?.url ?? file?.href;
  if (!file || src === undefined || findByName(figure, 'img', 'a')) return undefined;
  const { caption = '' } = parsedBy(AttachmentSettings, attribute(figure, 'dataTrixAttributes')) ?? {};
  const shown = file.contentType.startsWith('image/')
    ? h('img', { src, alt: '' })
    : withText('a', file.filename || src, { href: file.href ?? src });
  const said = isEmpty(figure) && caption !== '' ? [withText('figcaption', caption)] : figure.children;
  return [h('figure', {}, [shown, ...said])];
}

/** Returns the first address of a list, such as that of Webflow's files of one video. */
const firstOf = (addresses: string) => addresses.replace(/,(?=https?:).*$/s, '');

const PLAYED: readonly string[] = [en.kindOfVideo, en.kindOfEpisode];

/**
 * Adds the player of the recording, video or episode whose address is a data attribute of an element after its words, unless it
 * is among those that are shown, or the words link to it.
 */
function addPlayer(element: Element, shown: Set<string>, linked: ReadonlySet<string>): void {
  const name = Object.keys(element.properties).find((each) => {
    const src = firstOf(attribute(element, each));
    if (!/^data/.test(each) || BACKGROUND.test(each) || !/^(?:https?:)?\/\S+$/.test(src)) return false;
    return (isRecording(src) || PLAYED.includes(embedOf(src)?.kind ?? '')) && !shown.has(loadedFrom(src));
  });
  if (name === undefined || hasClass(element, SOCIAL)) return;
  const src = firstOf(attribute(element, name));
  const key = loadedFrom(src);
  // The links of the body first: to read those of each of many levels would take long, as their words would for a title.
  if (linked.has(key) && findAll(element, 'a').some((a) => loadedFrom(attribute(a, 'href')) === key)) return;
  shown.add(key);
  // A span with an address would become a link to it.
  delete element.properties[name];
  element.children.push(h(elementFor(src) ?? 'iframe', { src }));
}

/**
 * Returns what a script would show in an element: a frame, or a file of a known type; a formula as it is written. What it would
 * show beside words is added to them, if it is not among the addresses that are `shown`. `linked`: those of the body's links.
 */
export function scriptEmbed(
  element: Element,
  shown: Set<string>,
  linked: ReadonlySet<string>,
): ElementContent[] | undefined {
  if (!HOLDER.test(element.tagName)) return undefined;
  if (attribute(element, 'dataTrixAttachment') !== '') return attached(element);
  const names = [element.tagName, ...classesOf(element)];
  const rows = names.flatMap((name) => ADDRESSES.get(name) ?? []);
  // A picture and a film show themselves, unless a row says whose they are.
  if (/^(?:img|video)$/.test(element.tagName) && rows.length === 0) return undefined;
  const isScript = element.tagName === 'script';
  const address =
    rows.map(([, row]) => filled(row, element)).find(Boolean) ??
    (isScript ? ofScript(element) : ofData(element));
  if (isScript && isRecording(address) && shown.has(loadedFrom(address))) return undefined;
  if (address === '') {
    addPlayer(element, shown, linked);
    const formula = attribute(element, 'dataLatex', 'dataMath') || setting(element, 'persistentExpression');
    if (formula && !findByName(element, 'math', 'img')) return [withText('code', formula)];
    if (!isEmpty(element)) return undefined;
    // A person whom Substack's editor mentions.
    const name = element.tagName === 'span' && setting(element, 'name');
    return name ? [{ type: 'text', value: name }] : undefined;
  }
  // Words within a line that would open it above the page.
  const words = element.tagName === 'span' && !isEmpty(element) && singleLineText(element);
  if (words) return [withText('a', words, { href: embedOf(address)?.page ?? address })];
  shown.add(loadedFrom(address));
  const title =
    attribute(element, 'playlabel', 'videotitle', 'title', 'dataTitle') ||
    (setting(element, 'title') ?? setting(element, 'full_text') ?? (isScript ? '' : singleLineText(element)));
  const poster = findByName(element, 'img')?.properties.src;
  return [h(elementFor(address) ?? 'iframe', { src: address, title, poster, replaced: element.tagName })];
}
