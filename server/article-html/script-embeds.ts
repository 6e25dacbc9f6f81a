import type { Element, ElementContent } from 'hast';
import { h, remove, withText } from '#server/html/edit-elements.ts';
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
import { addressIn } from './embeds.ts';
import { BACKGROUND } from './lazy-media.ts';
import { elementFor, isRecording, loadedFrom, SOCIAL } from './links.ts';

/**
 * Address of what a script would show in an element, by the element's name, a class of it, or `script`. Names in braces are
 * attributes, or beginnings of classes. A row fits where the element has all of them.
 */
const ADDRESSES = Map.groupBy(
  [
    ['lite-youtube', 'https://www.youtube.com/embed/{videoid}'],
    ['lite-vimeo', 'https://vimeo.com/{videoid}'],
    ['wistia-player', 'https://fast.wistia.net/embed/iframe/{media-id}'],
    ['wistia_embed', 'https://fast.wistia.net/embed/iframe/{wistia_async_}'],
    [
      'video-js',
      'https://players.brightcove.net/{dataAccount}/default_default/index.html?videoId={dataVideoId}',
    ],
    ['mux-player', 'https://player.mux.com/{playback-id}'],
    ['mux-video', 'https://player.mux.com/{playback-id}'],
    ['youtube-embed', 'https://www.youtube.com/embed/{video-id}'],
    ['flourish-embed', 'https://flo.uri.sh/{dataSrc}/embed'],
    ['infogram-embed', 'https://infogram.com/{dataId}'],
    ['speakerdeck-embed', 'https://speakerdeck.com/player/{dataId}'],
    ['issuuembed', 'https://e.issuu.com/embed.html#{dataConfigid}'],
    ['vidyard-player-embed', 'https://play.vidyard.com/{dataUuid}'],
    ['podigee-podcast-player', '{dataConfiguration}'],
    ['strava-embed-placeholder', 'https://www.strava.com/activities/{dataEmbedId}'],
    ['fb-post', '{dataHref}'],
    ['fb-video', '{dataHref}'],
    ['script', 'https://t.me/{dataTelegramPost}'],
    ['div', 'https://form.typeform.com/to/{dataTfWidget}'],
  ] as const,
  ([name]): string => name,
);

/** Scripts that write what their own address names, and the address of that. */
const SCRIPTS: readonly (readonly [script: RegExp, address: string])[] = [
  [/^https:\/\/gist\.github\.com\/((?:[\w-]+\/)?\w+)\.js.*/, 'https://gist.github.com/$1'],
  [/^https:\/\/play\.vidyard\.com\/([\w-]+)\.js.*/, 'https://play.vidyard.com/$1'],
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

/** Returns the address of what a script writes that stands at its own place. */
function ofScript(script: Element): string {
  const address = attribute(script, 'src').replace(/^(?:https?:)?\/\//, 'https://');
  const [known, page = ''] = SCRIPTS.find(([pattern]) => pattern.test(address)) ?? [];
  if (known) return address.replace(known, page);
  return embedOf(address) && !address.includes('.jsonp') ? address : '';
}

/** Returns the addresses of videos whose provider an element's names say, and whose id stands in a data attribute. */
function videosOf(element: Element): string[] {
  const names = [...Object.keys(element.properties), ...classesOf(element)];
  const said = [...names, ...attributesLike(element, /^data.*(?:provider|service)$/i)].join(' ');
  const ids = attributesLike(element, /^data.*(?:id|embed|video|youtube|vimeo)$/i);
  if (/youtube/i.test(said))
    return ids.filter((id) => /^[\w-]{11}$/.test(id)).map((id) => `https://www.youtube.com/embed/${id}`);
  return /vimeo/i.test(said)
    ? ids.filter((id) => /^\d{6,12}$/.test(id)).map((id) => `https://vimeo.com/${id}`)
    : [];
}

/** Returns the first address of each data attribute of an element, also in settings as JSON or HTML, but none of a background. */
function ofData(element: Element): string[] {
  const names = Object.keys(element.properties).filter(
    (name) => /^data/.test(name) && !BACKGROUND.test(name),
  );
  if (names.length === 0) return [];
  const values = names.map((name) => attribute(element, name)).filter((value) => !/"background/.test(value));
  const named = values.flatMap(
    (value) => value.replaceAll('\\/', '/').match(/(?:^|(?:https?:)?\/)\/[^\s"'<>{},]+/)?.[0] ?? [],
  );
  return [...videosOf(element), ...named];
}

/** Returns the address of what would fill an element without content; empty for any other. An item holds the place of its player. */
function ofEmpty(element: Element, addresses: readonly string[]): string {
  if (addresses.length === 0 || element.tagName === 'li' || !isEmpty(element)) return '';
  const isKnown = (address: string) =>
    embedOf(address) !== null || isRecording(address) || /\.pdf(?:\?|$)/i.test(address);
  const known = addresses.find(isKnown);
  if (known !== undefined || hasClass(element, SOCIAL)) return known ?? '';
  const named = addressIn(element);
  return /^(?:https?:)?\/\//.test(named) ? named : '';
}

/** A provider's own picture of a video. */
const PREVIEW = /^(?:https?:)?\/\/(?:i\d?\.ytimg\.com|img\.youtube\.com|i\.vimeocdn\.com)\//;

const PLAYED: readonly string[] = [en.kindOfVideo, en.kindOfEpisode];

/**
 * Adds the player of a recording, video or episode that the data attributes of an element name after its words, unless it is
 * among those that are shown, or the words link to it.
 */
function addPlayer(
  element: Element,
  addresses: readonly string[],
  shown: Set<string>,
  linked: ReadonlySet<string>,
): void {
  const isPlayed = (address: string) => isRecording(address) || PLAYED.includes(embedOf(address)?.kind ?? '');
  const src = addresses.find(isPlayed);
  if (src === undefined || hasClass(element, SOCIAL)) return;
  const key = loadedFrom(src);
  // It would tell the provider who reads the page, before a click does.
  remove(element, (inner) => PREVIEW.test(attribute(inner, 'src')));
  if (shown.has(key)) return;
  // The links of the body first: to read those of each of many levels would take long, as their words would for a title.
  if (linked.has(key) && findAll(element, 'a').some((a) => loadedFrom(attribute(a, 'href')) === key)) return;
  shown.add(key);
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
  const names = [element.tagName, ...classesOf(element)];
  const rows = names.flatMap((name) => ADDRESSES.get(name) ?? []);
  // A picture and a film show themselves, unless a row says whose they are.
  if (/^(?:img|video)$/.test(element.tagName) && rows.length === 0) return undefined;
  const isScript = element.tagName === 'script';
  const addresses = ofData(element);
  const address =
    rows.map(([, row]) => filled(row, element)).find(Boolean) ??
    (isScript ? ofScript(element) : ofEmpty(element, addresses));
  if (address === '') {
    if (!isScript) addPlayer(element, addresses, shown, linked);
    const formula = attribute(element, 'dataLatex', 'dataMath');
    return formula && !findByName(element, 'math', 'img') ? [withText('code', formula)] : undefined;
  }
  // Words within a line that would open it above the page.
  const words = element.tagName === 'span' && !isEmpty(element) && singleLineText(element);
  if (words) return [withText('a', words, { href: embedOf(address)?.page ?? address })];
  shown.add(loadedFrom(address));
  const title =
    attribute(element, 'playlabel', 'videotitle', 'title', 'dataTitle') ||
    (isScript ? '' : singleLineText(element));
  return [h(elementFor(address) ?? 'iframe', { src: address, title, replaced: element.tagName })];
}
