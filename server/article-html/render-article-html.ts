import type { Element, Root } from 'hast';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { parseHtml, type Refusal } from '#server/html/parse-html.ts';
import { singleLineText } from '#server/html/text-content.ts';
import type { Heading } from '#shared/models/article.ts';
import { editChildren } from './edit-children.ts';
import { rebuiltEmbed } from './embeds.ts';
import { markHeadings } from './headings.ts';
import { createImageReader, type ImageOptions, type ImageReader, rebuiltImage } from './images.ts';
import { keepTargets } from './in-page-links.ts';
import { securedLink } from './links.ts';
import { RENAMED_ELEMENTS, SANITIZE_SCHEMA } from './sanitize-schema.ts';
import { isTableWrapper, wrapTables } from './tables.ts';

export interface ArticleBody {
  /** Safe HTML; sanitising it again changes nothing. */
  html: string;
  /** H1 to H4 in document order; every id is in `html`. */
  headings: Heading[];
  /** Why the body was not kept whole, for the log; null for every ordinary body. */
  reduced: 'too-long' | 'unstable' | Refusal | null;
}

/** Plain data: a body may be rendered on another thread. */
export type BodyOptions = ImageOptions;

const MAX_LENGTH = 1024 * 1024;
/** Enough for what only a second parse repairs, such as blocks that a dropped element left in a paragraph. */
const MAX_ROUNDS = 5;

/** Cuts HTML to the cap, before a tag that would be cut in two. */
function cut(html: string): string {
  if (html.length <= MAX_LENGTH) return html;
  const kept = html.slice(0, MAX_LENGTH);
  const tag = kept.lastIndexOf('<');
  return tag > kept.lastIndexOf('>') ? kept.slice(0, tag) : kept;
}

const SANITIZER = unified().use(rehypeSanitize, SANITIZE_SCHEMA).use(rehypeStringify).freeze();

/** Parsers drop the first newline of a `pre`: without one the text stays the same however often it is parsed. */
function dropFirstNewlines(pre: Element): void {
  for (let first = pre.children[0]; first?.type === 'text'; first = pre.children[0]) {
    first.value = first.value.replace(/^[\r\n]+/, '');
    if (first.value !== '') return;
    pre.children.shift();
  }
}

/** Renames containers (`section`, `form`, ...) to plain blocks, before the allow-list drops them. */
function renameContainers(root: Root): void {
  editChildren(root, (element) => {
    element.tagName = RENAMED_ELEMENTS.get(element.tagName) ?? element.tagName;
    return undefined;
  });
}

function rebuildElements(root: Root, imageIn: ImageReader): void {
  editChildren(root, (element) => {
    const { tagName, properties } = element;
    if (tagName === 'iframe') return rebuiltEmbed(element);
    if (tagName === 'img') return rebuiltImage(element, imageIn);
    if (tagName === 'div' && isTableWrapper(element)) return element.children;
    if (tagName === 'div') delete properties.className;
    if (tagName === 'a') element.properties = securedLink(element);
    if (tagName === 'pre') {
      dropFirstNewlines(element);
      // It scrolls by itself, so it takes the focus.
      properties.tabIndex = 0;
    }
    return undefined;
  });
}

function sanitised(root: Root, imageIn: ImageReader): { html: string; headings: Heading[] } {
  renameContainers(root);
  const safe = SANITIZER.runSync(root);
  rebuildElements(safe, imageIn);
  wrapTables(safe);
  keepTargets(safe);
  const headings = markHeadings(safe);
  return { html: SANITIZER.stringify(safe), headings };
}

function textOnly(html: string, imageIn: ImageReader): { html: string; headings: Heading[] } {
  const value = singleLineText(parseHtml(html).root);
  const paragraph: Root = {
    type: 'root',
    children: [{ type: 'element', tagName: 'p', properties: {}, children: [{ type: 'text', value }] }],
  };
  return sanitised(paragraph, imageIn);
}

/**
 * Makes the upstream's HTML safe by an allow-list and finds its headings.
 *
 * Parses and sanitises the result again until nothing changes, so that the browser's parser builds the tree that was checked:
 * markup that parses differently the second time (mutation XSS) does not survive. Reads at most 1 MiB. Never throws.
 */
export function renderArticleHtml(html: string, options: BodyOptions): ArticleBody {
  const input = cut(html);
  const { root, refusal } = parseHtml(input);
  const reduced = refusal ?? (input.length < html.length ? 'too-long' : null);
  const imageIn = createImageReader(options);
  let body = sanitised(root, imageIn);
  for (let round = 1; round < MAX_ROUNDS; round += 1) {
    const again = sanitised(parseHtml(body.html).root, imageIn);
    if (again.html === body.html) return { ...again, reduced };
    body = again;
  }
  return { ...textOnly(body.html, imageIn), reduced: 'unstable' };
}
