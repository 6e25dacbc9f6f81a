import type { Element } from 'hast';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { editChildren, withText } from '#server/html/edit-elements.ts';
import { attribute, type Fragment, fragmentOf, hasClass } from '#server/html/find-elements.ts';
import { type Excess, parseBoundedHtml } from '#server/html/parse-bounded-html.ts';
import { singleLineText } from '#server/html/text-content.ts';
import type { Heading } from '#shared/models/article.ts';
import { translator } from '#shared/texts/translate.ts';
import { recogniseBlocks } from './blocks.ts';
import {
  addressIn,
  type BodyContext,
  type BodyLoss,
  checkEmbed,
  embedAlone,
  type NoteLoss,
  replacementOf,
} from './embeds.ts';
import { dropPermalinks, markHeadings } from './headings.ts';
import { nameTargets, pointLinks } from './in-page-links.ts';
import {
  type BodyOptions,
  isRefused,
  nameByCaption,
  normaliseSchemes,
  otherHostOf,
  securedLink,
} from './links.ts';
import { createImageReader, rebuiltImage, rebuiltMedia, widenSizes } from './media.ts';
import { recover } from './recover.ts';
import { ALLOWED_ELEMENTS, RENAMED_ELEMENTS, SANITIZE_SCHEMA, STRIPPED_ELEMENTS } from './sanitize-schema.ts';
import { recoverText } from './shortcodes.ts';
import { mendParts, tidy } from './tidy.ts';

export interface ArticleBody {
  /** Safe HTML; rendering it again changes nothing. */
  html: string;
  /** H1 to H4 in document order; every id is in `html`. */
  headings: Heading[];
  /** Its first 2,000 characters of text. */
  beginning: string;
  /** Why the body was not kept whole, for the log; null for every ordinary body. */
  reduced: 'too-long' | 'unstable' | Excess | null;
  /** At most 1,000. */
  losses: BodyLoss[];
}

const MAX_LENGTH = 1024 * 1024;
const MAX_LOSSES = 1000;
const MAX_BEGINNING = 2000;
/** Further ones repair what only a parser can, such as a link in a link that a block has become. */
const MAX_ROUNDS = 3;

/** Cuts HTML to the cap, before a tag that would be cut in two. */
function cut(html: string): string {
  if (html.length <= MAX_LENGTH) return html;
  const kept = html.slice(0, MAX_LENGTH);
  const tag = kept.lastIndexOf('<');
  return tag > kept.lastIndexOf('>') ? kept.slice(0, tag) : kept;
}

const SANITIZER = unified().use(rehypeSanitize, SANITIZE_SCHEMA).use(rehypeStringify).freeze();
const STRIPPED = new Set(STRIPPED_ELEMENTS);

/** A span shows its content, but may stand for what a script would load. */
const ALLOWED = new Set(ALLOWED_ELEMENTS.filter((name) => name !== 'span'));
/** A custom element; one of Word's, which hold words, is none. */
const CUSTOM = /^\w+-/;

/** Whether an element that the allow-list unwraps would have shown more than its content. */
function isUnknown(element: Element): boolean {
  return !ALLOWED.has(element.tagName) && (CUSTOM.test(element.tagName) || addressIn(element) !== '');
}

/** Attributes of few values, which are written in any case. */
const ENUMERATED = ['dir', 'scope', 'kind'];

/** Renames containers to plain blocks, removes what is refused, replaces what is unknown; the allow-list does the rest. */
function sanitise(root: Fragment, context: BodyContext): Fragment {
  const { note } = context;
  editChildren(root, (element) => {
    if (STRIPPED.has(element.tagName)) {
      note('removed', element.tagName, attribute(element, 'src'));
      return [];
    }
    normaliseSchemes(element);
    for (const name of ENUMERATED)
      if (attribute(element, name) !== '') element.properties[name] = attribute(element, name).toLowerCase();
    if (element.tagName === 'figure') nameByCaption(element);
    if (element.tagName === 'a' && isRefused(element)) note('removed', 'a');
    element.tagName = RENAMED_ELEMENTS.get(element.tagName) ?? element.tagName;
    return isUnknown(element) ? replacementOf(element, context) : undefined;
  });
  return fragmentOf(SANITIZER.runSync(root));
}

/** Rebuilds what loads or leads somewhere: images, media, embeds, links. */
function rebuild(root: Fragment, context: BodyContext): void {
  const imageIn = createImageReader(context.options);
  editChildren(root, (element) => {
    const { tagName, properties } = element;
    if (tagName === 'img') return rebuiltImage(element, imageIn, context.note);
    if (tagName === 'audio' || tagName === 'video') return rebuiltMedia(element, context);
    if (tagName === 'span') delete properties.className;
    // Widgets take the focus for their script; tables that scroll are given theirs later.
    if (tagName === 'div') Object.assign(properties, { tabIndex: null, role: null, ariaLabel: null });
    if (tagName === 'a') element.properties = securedLink(element, context.options);
    // Of an earlier round.
    if (hasClass(element, 'table-scroll')) return element.children;
    if (tagName !== 'figure') return undefined;
    widenSizes(element);
    // The words of the button are never the author's.
    delete properties.dataEmbed;
    if (hasClass(element, 'b-embed') && !checkEmbed(element, context.t)) delete properties.className;
    return embedAlone(element);
  });
}

/** Recovers what is hidden, makes blocks ours, lets through what is safe, rebuilds what loads or leads somewhere, and tidies up. */
function renderTree(root: Fragment, context: BodyContext) {
  recover(root, context);
  recogniseBlocks(root, context);
  const safe = sanitise(root, context);
  rebuild(safe, context);
  dropPermalinks(safe);
  const targets = nameTargets(safe);
  // Before the headings: their words are those that stay.
  tidy(safe, context.t);
  const marked = markHeadings(safe);
  pointLinks(safe, targets, marked);
  // Links that led nowhere are their content now, and so are headings without words.
  mendParts(safe);
  const beginning = singleLineText(safe).slice(0, MAX_BEGINNING);
  return { html: SANITIZER.stringify(safe), headings: marked.headings, beginning };
}

/**
 * Makes the upstream's HTML safe by an allow-list, its blocks ours, and finds its headings.
 *
 * Parses the result again and lets it through the allow-list. Where that changes anything it is rendered once more, and where
 * it still does, only the text is kept: markup that parses differently the second time (mutation XSS) does not survive.
 * Reads at most 1 MiB. Never throws.
 */
export function renderArticleHtml(html: string, options: BodyOptions): ArticleBody {
  const input = cut(html);
  const losses: BodyLoss[] = [];
  const note: NoteLoss = (outcome, element, address = '') => {
    if (losses.length < MAX_LOSSES) losses.push({ outcome, element, host: otherHostOf(address) });
  };
  const context: BodyContext = { options, note, t: translator({ texts: options.texts ?? null }) };
  const silent: BodyContext = { ...context, note: () => {} };
  let { root, excess } = parseBoundedHtml(input);
  let text = '';
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const body = renderTree(root, round === 0 ? context : silent);
    const reduced = excess ?? (input.length < html.length ? 'too-long' : null);
    const again = parseBoundedHtml(body.html);
    // Texts are one where what stood between them went.
    recoverText(again.root);
    // A browser builds exactly the tree that was checked: the allow-list takes nothing from it.
    if (SANITIZER.stringify(SANITIZER.runSync(again.root)) === body.html) return { ...body, reduced, losses };
    root = again.root;
    excess ??= again.excess;
    text = singleLineText(root);
  }
  const paragraph: Fragment = { type: 'root', children: [withText('p', text)] };
  return { ...renderTree(paragraph, silent), reduced: 'unstable', losses };
}
