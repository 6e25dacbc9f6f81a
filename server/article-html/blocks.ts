import type { Element, ElementContent } from 'hast';
import { z } from 'zod';
import { editChildren, editRuns, h, remove, takeText, withText } from '#server/html/edit-elements.ts';
import {
  attribute,
  classesOf,
  type Fragment,
  findAll,
  findByClass,
  findByName,
  hasClass,
  isCaption,
  isEmpty,
} from '#server/html/find-elements.ts';
import { withoutTags } from '#server/html/text-content.ts';
import { fileCard, imageIn, linkCard, postCard, productCard } from './cards.ts';
import { nameLanguage } from './code.ts';
import {
  type BodyContext,
  type EditElement,
  loneAddress,
  mediaPost,
  recogniseAddress,
  replacementOf,
  textPost,
} from './embeds.ts';
import { gallery } from './galleries.ts';
import { isRefused, shortName } from './links.ts';

const nothing = (): ElementContent[] => [];

/** Keeps the first element of a name: the formula beside its drawing, the code beside a table of its lines. */
const only =
  (name: string): EditElement =>
  (block) => {
    const found = findByName(block, name);
    return found && [found];
  };

const isBlock = (node: ElementContent) =>
  node.type === 'element' && /^(?:p|div|ul|ol|h\d|figure|blockquote|pre)$/.test(node.tagName);
const hasBlocks = ({ children }: Element) => children.some(isBlock);

function callout(block: Element): ElementContent[] | undefined {
  if (block.tagName === 'details') return undefined;
  // Without a text the element of the emoji may be all that there is.
  const emoji = findByClass(block, 'kg-callout-text') ? takeText(block, 'kg-callout-emoji') : '';
  const said = findByClass(block, 'kg-callout-text') ?? block;
  const lead: ElementContent[] = emoji === '' ? [] : [{ type: 'text', value: `${emoji} ` }];
  const children = hasBlocks(said) ? [...lead, ...said.children] : [h('p', {}, [...lead, ...said.children])];
  return [h('div', { className: ['b-callout'] }, children)];
}

function toggle(block: Element): ElementContent[] | undefined {
  const content = findByClass(block, 'kg-toggle-content');
  if (!content) return undefined;
  const title = takeText(block, 'kg-toggle-heading-text', 'kg-toggle-heading');
  return [h('details', {}, [withText('summary', title), ...content.children])];
}

/** Links, and words beside them, such as those of a button that would open a dialog. */
function buttons(block: Element): ElementContent[] | undefined {
  const links = findAll(block, 'a');
  for (const link of links) link.properties.className = ['b-button'];
  if (links.length === 0) return undefined;
  return [h('div', { className: [...classesOf(block), 'b-buttons'] }, unwrapped(block.children))];
}

/** Returns links and the nodes beside them, without the boxes around links. An item of a list is none without its list. */
function unwrapped(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node) => {
    const isBox =
      node.type === 'element' && node.tagName !== 'a' && (node.tagName === 'li' || findByName(node, 'a'));
    return isBox ? unwrapped(node.children) : [node];
  });
}

const MAX_COLUMNS = 4;
/** Characters of a column beside others: more are the text of an article, which is read in its whole width. */
const MAX_COLUMN_LENGTH = 700;

/** Whether an element has no more words than a bound, beyond which it is not read: rows stand in rows. */
function isShort(element: Element): boolean {
  let left = MAX_COLUMN_LENGTH;
  const read = ({ children }: Element): boolean =>
    children.every((child) => {
      if (child.type === 'text') left -= child.value.trim().length;
      return left >= 0 && (child.type !== 'element' || read(child));
    });
  return read(element);
}

/** A row of WordPress: side by side where it is of some short parts. */
function row(block: Element): undefined {
  const parts = block.children.filter((child) => !isEmpty(child));
  const columns = parts.filter((part) => part.type === 'element');
  const isRow = columns.length === parts.length && columns.length > 1 && columns.length <= MAX_COLUMNS;
  if (!isRow || !/^(?:div|section)$/.test(block.tagName) || hasClass(block, 'is-vertical')) return;
  if (columns.every(isShort)) block.properties.className = [...classesOf(block), 'b-columns'];
}

function pullQuote(block: Element): ElementContent[] {
  const quote = findByName(block, 'blockquote');
  remove(block, (inner) => inner === quote);
  // Such as who has said it.
  const beside = (quote && isEmpty(block) ? [] : block.children).map((node) =>
    isCaption(node) ? h('div', {}, node.children) : node,
  );
  return [h('blockquote', { className: ['b-pull-quote'] }, [...(quote?.children ?? []), ...beside])];
}

function mediaText(block: Element): ElementContent[] {
  const onRight = hasClass(block, 'has-media-on-the-right');
  const parts = block.children.filter((child) => child.type === 'element');
  const sorted = parts.toSorted((a, b) => Number(a.tagName === 'figure') - Number(b.tagName === 'figure'));
  return [h('div', { className: ['b-columns'] }, onRight ? sorted : sorted.toReversed())];
}

/** Classes of captions, as nearly every CMS and theme calls them. */
const CAPTION = /(?:^|[-_])caption(?:[-_]|$)/i;
const isCaptionText = (element: Element) =>
  isCaption(element) || (hasClass(element, CAPTION) && findByName(element, 'img') === undefined);

function captioned(block: Element): ElementContent[] {
  const captions = findAll(block, isCaptionText).map(({ children }) => h('figcaption', {}, children));
  remove(block, isCaptionText);
  const { id, style, align } = block.properties;
  return [h('figure', { id, className: classesOf(block), style, align }, [...block.children, ...captions])];
}

const credit: EditElement = (block) => [h('cite', {}, block.tagName === 'a' ? [block] : block.children)];

/** What Ghost writes for the poster of a video whose first frame it shows as a background. */
const SPACER = /^https?:\/\/img\.spacergif\.org\//;

function mediaCard(block: Element): ElementContent[] {
  const media = findAll(block, /^(?:audio|video)$/);
  const title = takeText(block, 'kg-audio-title', 'player__episode-title');
  const poster = attribute(block, 'dataKgCustomThumbnail', 'dataKgThumbnail');
  for (const { properties } of media) {
    if (title !== '') properties.title = shortName(title);
    if (poster !== '') properties.poster = poster;
    else if (SPACER.test(String(properties.poster))) delete properties.poster;
  }
  remove(block, (inner) => media.includes(inner));
  const captions = findAll(block, 'figcaption');
  const cover = imageIn(block, 'kg-audio-thumbnail', 'player__artwork');
  // Its words are Ghost's, and its size is that of Ghost's own card.
  const covers = cover ? [h('img', { src: cover.properties.src, width: 80, height: 80 })] : [];
  const caption = title === '' ? captions : [withText('figcaption', title)];
  return [h('figure', {}, [...covers.filter((img) => attribute(img, 'src') !== ''), ...media, ...caption])];
}

/** Whether a figure is of several, as HTML writes a gallery, and not yet ours. */
const isSeries = ({ properties, children }: Element) =>
  !String(properties.className).includes('b-gallery') &&
  children.filter((child) => child.type === 'element' && child.tagName === 'figure').length > 1;

/** Returns what a table lays out that says so. */
function layoutOf(table: Element): ElementContent[] | undefined {
  if (!/^(?:presentation|none)$/.test(attribute(table, 'role')) || findByName(table, 'th', 'caption'))
    return undefined;
  return findAll(table, 'td').map((cell) => h('div', cell.properties, cell.children));
}

const Playlist = z.object({
  type: z.enum(['audio', 'video']).default('audio'),
  tracks: z.array(
    z.object({
      src: z.string(),
      title: z.string().default(''),
      caption: z.string().default(''),
    }),
  ),
});

/** Reads the list of recordings that a script holds; undefined where it is not as expected. */
function listIn(script: Element | undefined) {
  const [json] = script?.children ?? [];
  try {
    return json?.type === 'text' ? Playlist.safeParse(JSON.parse(json.value)).data : undefined;
  } catch {
    return undefined;
  }
}

/** A list of recordings, which WordPress and Jetpack write as JSON. */
function playlist(block: Element): ElementContent[] | undefined {
  const list = listIn(findByName(block, 'script'));
  return list?.tracks.map(({ src, title, caption }) => {
    const said = caption || title;
    return h('figure', {}, [
      h(list.type, { src, title }),
      ...(said === '' ? [] : [withText('figcaption', withoutTags(said))]),
    ]);
  });
}

/**
 * What WordPress core blocks (`wp-`), classic WordPress, Ghost (`kg-`), plain HTML and providers' scripts write, and the block
 * that it becomes: a class of ours, or what makes it. A new block is a line here, a style in `rich-text.css`, a fixture.
 */
const BLOCKS: readonly (readonly [written: string, block: string | EditElement])[] = [
  ['alignleft float-left float-start pull-left align-left', 'b-left'],
  ['alignright float-right float-end pull-right align-right', 'b-right'],
  ['aligncenter align-center', 'b-center'],
  ['alignwide kg-width-wide', 'b-wide'],
  ['alignfull kg-width-full', 'b-full'],
  ['has-text-align-center text-center kg-align-center', 'b-text-center'],
  ['has-text-align-right text-right', 'b-text-right'],
  ['wp-block-gallery blocks-gallery-grid gallery kg-gallery-card', gallery],
  ['tiled-gallery wp-block-jetpack-tiled-gallery wp-block-jetpack-slideshow', gallery],
  ['elementor-image-carousel elementor-gallery__container elementor-image-gallery', gallery],
  ['kb-gallery-ul ngg-galleryoverview fusion-gallery foogallery envira-gallery-public', gallery],
  ['modula-items metaslider flexslider nivoSlider twentytwenty-container juxtapose', gallery],
  ['et_pb_gallery_items fl-mosaicflow-content coblocks-gallery', gallery],
  ['wp-caption', captioned],
  ['credit image-credit photo-credit media-credit', credit],
  ['wp-block-columns', 'b-columns'],
  ['is-layout-grid is-nowrap', row],
  ['wp-block-media-text', mediaText],
  ['wp-block-cover kg-header-card', ({ children }) => [h('div', { className: ['b-cover'] }, children)]],
  ['wp-block-pullquote kg-blockquote-alt pullquote pull-quote', pullQuote],
  ['kg-callout-card kg-cta-card callout admonition notice markdown-alert alert custom-block', callout],
  ['has-background', 'b-callout'],
  ['kg-toggle-card', toggle],
  ['wp-block-buttons wp-block-button kg-button-card', buttons],
  ['kg-bookmark-card', linkCard],
  ['wp-embedded-content', postCard],
  ['wp-block-file kg-file-card', fileCard],
  ['kg-product-card', productCard],
  ['kg-audio-card kg-video-card castos-player', mediaCard],
  ['wp-playlist wp-block-jetpack-podcast-player', playlist],
  [
    'twitter-tweet twitter-video bluesky-embed text-post-media fb-xfbml-parse-ignore mastodon-embed reddit-embed-bq',
    textPost,
  ],
  ['instagram-media tiktok-embed', mediaPost],
  ['katex MathJax', only('math')],
  ['wp-block-verse', 'b-verse'],
  ['crayon-syntax', only('pre')],
  ['highlighter-rouge', nameLanguage],
  ['wp-block-footnotes footnotes', 'b-footnotes'],
  // A player that its plugin repeats in a noscript follows the last one.
  ['wp-block-spacer kg-video-overlay kg-video-player-container rll-youtube-player et-pb-icon', nothing],
  ['_brlbs-content-blocker wp-lightbox-overlay', nothing],
  ['wp-block-jetpack-pinterest', loneAddress],
  // Buttons that share a page, forms that subscribe, comments, related posts, ratings, authors: the site has its own.
  ['sharedaddy wp-block-jetpack-sharing-buttons addtoany_share_save_container a2a_kit ns-buttons', nothing],
  ['swp_social_panel heateor_sss_sharing_container et_social_inline essb_links mashsb-container', nothing],
  ['ssba dpsp-content-wrapper scriptlesssocialsharing shared-counts-wrap simplesocialbuttons', nothing],
  ['ss-inline-share-wrapper elementor-widget-share-buttons wp-block-coblocks-social', nothing],
  ['wp-block-uagb-social-share fusion-sharing-box social-share social-sharing share-buttons', nothing],
  ['bctt-ctt-btn wp-block-coblocks-click-to-tweet__twitter-btn ub_click_to_tweet', nothing],
  ['uagb-blockquote__tweet-button', nothing],
  ['kg-signup-card comment-respond', nothing],
  ['gform_heading elementor-toc__header jp-relatedposts crp_related yarpp saboxplugin-wrap', nothing],
  ['pp-multiple-authors-boxes-wrapper post-ratings kk-star-ratings printfriendly', nothing],
  // Titles of tabs and numbers of notes that stand twice, and what opens them.
  ['wp-block-ub-tabbed-content-accordion-toggle fl-tabs-panel-label uagb-timeline__date-hide', nothing],
  ['elementor-tab-mobile-title', nothing],
  ['et_pb_counter_amount', (amount) => (hasClass(amount, 'overlay') ? [] : undefined)],
  ['modern-footnotes-footnote footnote_tooltip margin-toggle ez-toc-title-toggle lwptoc_toggle', nothing],
  ['footnote_reference_container_collapse_button slideshowlink wp-block-query-pagination', nothing],
  ['elementor-countdown-wrapper fl-accordion-button-icon ead-document-loading kb-show-more-buttons', nothing],
];

const BY_CLASS = new Map(
  BLOCKS.flatMap(([written, block]) => written.split(' ').map((name) => [name, block] as const)),
);

/** Elements that are what their author put there, whatever block their class is of elsewhere. */
const MEDIA = new Set(['iframe', 'object', 'embed', 'img', 'picture', 'video', 'audio']);

const BY_NAME: Readonly<Record<string, EditElement>> = {
  // One of that class repeats the card of another WordPress' post.
  iframe: (frame, context) => (hasClass(frame, 'wp-embedded-content') ? [] : replacementOf(frame, context)),
  object: replacementOf,
  embed: replacementOf,
  'mjx-container': only('math'),
  pre: nameLanguage,
  table: layoutOf,
  figure: (figure, context) => (isSeries(figure) ? gallery(figure) : recogniseAddress(figure, context)),
  p: split,
};

/** Classes of ours, all that a body has, with those of embeds by kind and of images by their size. */
export const CLASSES: readonly string[] = [
  ...[...BY_CLASS.values()].filter((block) => typeof block === 'string'),
  ...'b-gallery b-cover b-pull-quote b-button b-buttons b-card b-embed b-open b-post'.split(' '),
  ...['b-portrait', 'b-inline', 'table-scroll'],
];
const OWN = new Set(CLASSES);

/** Lifts blocks out of a paragraph, into which WordPress puts frames. */
function split(paragraph: Element): ElementContent[] | undefined {
  if (!hasBlocks(paragraph)) return undefined;
  const isInLine = (node: ElementContent) => !isBlock(node);
  return editRuns(paragraph.children, isInLine, (line) => [h('p', paragraph.properties, line)]);
}

/** Elements that may have a class which themes also set on others. */
const ONLY_ON: Readonly<Record<string, RegExp>> = {
  'b-callout': /^(?:aside|div|p|section)$/,
  'b-left': /^(?!p$|h\d$)/,
  'b-right': /^(?!p$|h\d$)/,
};
/** Names that every CMS and theme has for a link that looks like a button. */
const BUTTON = /(?:^|[-_])(?:btn|button)/i;
const ALIGNED = /^(?:p|h[1-6]|t[dh]|div|figcaption)$/;
/** How editors without classes write a picture in the middle. */
const CENTRED =
  /margin\s*:\s*[\d.]*[a-z%]*\s*auto\s*(?:;|$)|margin-left\s*:\s*auto\s*;\s*margin-right\s*:\s*auto/;

const styleOf = (element: Element) => attribute(element, 'style').toLowerCase();
const sideOf = (element: Element) => attribute(element, 'align').toLowerCase();

/** Returns the classes of ours that an element's classes, and its alignment as attribute or style, mean. */
function ownClasses(element: Element): string[] {
  const own = classesOf(element).map((name) => (OWN.has(name) ? name : BY_CLASS.get(name)));
  if (ALIGNED.test(element.tagName)) {
    const [, aligned = sideOf(element)] = /text-align\s*:\s*([a-z]+)/.exec(styleOf(element)) ?? [];
    if (/^(?:center|right)$/.test(aligned)) own.push(`b-text-${aligned}`);
  }
  if (/^(?:img|figure)$/.test(element.tagName)) {
    const style = styleOf(element);
    const side = sideOf(element) || (CENTRED.test(style) ? 'center' : '');
    const [, floated = side] = /(?<![\w-])float\s*:\s*(left|right)/.exec(style) ?? [];
    if (/^(?:left|right|center)$/.test(floated)) own.push(`b-${floated}`);
  }
  if (element.tagName === 'a' && hasClass(element, BUTTON) && !findByName(element, 'img'))
    own.push('b-button');
  if (element.tagName === 'aside' && !hasClass(element, /footnote/)) own.push('b-callout');
  if (element.tagName === 'center') own.push('b-text-center');
  return [...new Set(own)].filter(
    (name): name is string => typeof name === 'string' && (ONLY_ON[name]?.test(element.tagName) ?? true),
  );
}

/** Whether a link around elements leads to another page. Of one that does not only the content may stay. */
const leadsOn = (link: Element) =>
  link.children.some(({ type }) => type === 'element') &&
  /^[^#]/.test(attribute(link, 'href')) &&
  !isRefused(link);

/** Whether an address in an element is not alone: a link leads elsewhere, code is shown as it is, a card has its own link. */
const holdsWords = (element: Element) =>
  /^(?:pre|code)$/.test(element.tagName) ||
  (element.tagName === 'a' && leadsOn(element)) ||
  hasClass(element, 'b-card');

/** Whether an element is a paragraph, as some editors write it too. */
const isParagraph = (element: Element) =>
  /^(?:p|oembed)$/.test(element.tagName) ||
  (element.tagName === 'div' && classesOf(element).length === 0 && !findByName(element, 'div', 'p'));

/** Replaces blocks of CMSes by ours, frames by embeds or links, and classes by those of ours. */
export function recogniseBlocks(root: Fragment, context: BodyContext): void {
  editChildren(root, (element) => {
    const blocks = MEDIA.has(element.tagName) ? [] : classesOf(element).map((name) => BY_CLASS.get(name));
    const block = blocks.find((found) => typeof found === 'function');
    return block?.(element, context) ?? BY_NAME[element.tagName]?.(element, context);
  });
  const words = new Set<Element>();
  for (const holder of findAll(root, holdsWords)) editChildren(holder, (inner) => void words.add(inner));
  editChildren(root, (element) => {
    // A language of programming is none of people.
    if (element.tagName === 'code') delete element.properties.lang;
    const className = ownClasses(element);
    if (className.length > 0) element.properties.className = className;
    else delete element.properties.className;
    // After the blocks, which may be made of such paragraphs.
    return isParagraph(element) && !words.has(element) ? loneAddress(element, context) : undefined;
  });
}
