import type { Root } from 'hast';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import type { ImageResolver } from '#server/cms/normalise/normalise-image.ts';
import type { Heading } from '#shared/models/article.ts';
import { rebuildEmbeds } from './embeds.ts';
import { markHeadings } from './headings.ts';
import { redrawImages } from './images.ts';
import { secureLinks } from './links.ts';
import { parseHtml, type Refusal } from './parse-html.ts';
import { SANITIZE_SCHEMA } from './sanitize-schema.ts';
import { renameContainers, settlePreformatted } from './structure.ts';
import { wrapTables } from './tables.ts';
import { textContent } from './text-content.ts';

export interface ArticleBody {
  /** Safe HTML; rendering it again gives the same. */
  html: string;
  /** H1 to H4 in document order; every id is in `html`. */
  headings: Heading[];
  /** What had to be given up, for the log; null for every ordinary body. */
  reduced: 'too-long' | 'unstable' | Refusal | null;
}

interface BodyOptions {
  imageOf: ImageResolver;
}

const MAX_LENGTH = 1024 * 1024;
/** Enough for what a parser mends in its second reading, such as blocks left in a paragraph by a dropped element. */
const MAX_ROUNDS = 5;

/** What fits under the cap, without the tag the cap fell into. */
function cut(html: string): string {
  if (html.length <= MAX_LENGTH) return html;
  const kept = html.slice(0, MAX_LENGTH);
  const tag = kept.lastIndexOf('<');
  return tag > kept.lastIndexOf('>') ? kept.slice(0, tag) : kept;
}

function cleaned(root: Root, { imageOf }: BodyOptions): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const processor = unified()
    .use(renameContainers)
    .use(rehypeSanitize, SANITIZE_SCHEMA)
    .use(settlePreformatted)
    .use(rebuildEmbeds)
    .use(secureLinks)
    .use(redrawImages, { imageOf })
    .use(wrapTables)
    .use(markHeadings, { found: headings })
    .use(rehypeStringify);
  return { html: processor.stringify(processor.runSync(root)), headings };
}

function textOnly(html: string, options: BodyOptions): { html: string; headings: Heading[] } {
  const value = textContent(parseHtml(html).root).replace(/\s+/g, ' ').trim();
  const paragraph: Root = {
    type: 'root',
    children: [{ type: 'element', tagName: 'p', properties: {}, children: [{ type: 'text', value }] }],
  };
  return cleaned(paragraph, options);
}

/**
 * Makes the upstream's HTML safe by an allow-list and finds its headings.
 *
 * What is cleaned is read and cleaned again until nothing changes. So the browser's parser, given the result, builds
 * the tree that was checked: markup that turns into something else when it is parsed twice does not survive.
 * At most 1 MiB is read. Never throws.
 */
export function renderArticleHtml(html: string, options: BodyOptions): ArticleBody {
  const input = cut(html);
  const { root, refusal } = parseHtml(input);
  const reduced = refusal ?? (input.length < html.length ? 'too-long' : null);
  let body = cleaned(root, options);
  for (let round = 1; round < MAX_ROUNDS; round += 1) {
    const again = cleaned(parseHtml(body.html).root, options);
    if (again.html === body.html) return { ...again, reduced };
    body = again;
  }
  return { ...textOnly(body.html, options), reduced: 'unstable' };
}
