import type { Root } from 'hast';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import type { ImageResolver } from '#server/cms/normalise/normalise-image.ts';
import { parseHtml, type Refusal } from '#server/html/parse-html.ts';
import { singleLineText } from '#server/html/text-content.ts';
import type { Heading } from '#shared/models/article.ts';
import { rebuildEmbeds } from './embeds.ts';
import { markHeadings } from './headings.ts';
import { rebuildImages } from './images.ts';
import { keepTargets } from './in-page-links.ts';
import { secureLinks } from './links.ts';
import { SANITIZE_SCHEMA } from './sanitize-schema.ts';
import { rebuildPreformatted, renameContainers } from './structure.ts';
import { wrapTables } from './tables.ts';

export interface ArticleBody {
  /** Safe HTML; sanitising it again changes nothing. */
  html: string;
  /** H1 to H4 in document order; every id is in `html`. */
  headings: Heading[];
  /** Why the body was not kept whole, for the log; null for every ordinary body. */
  reduced: 'too-long' | 'unstable' | Refusal | null;
}

interface BodyOptions {
  imageOf: ImageResolver;
}

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

function sanitised(root: Root, { imageOf }: BodyOptions): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const processor = unified()
    .use(renameContainers)
    .use(rehypeSanitize, SANITIZE_SCHEMA)
    .use(rebuildPreformatted)
    .use(rebuildEmbeds)
    .use(secureLinks)
    .use(rebuildImages, { imageOf })
    .use(wrapTables)
    .use(keepTargets)
    .use(markHeadings, { found: headings })
    .use(rehypeStringify);
  return { html: processor.stringify(processor.runSync(root)), headings };
}

function textOnly(html: string, options: BodyOptions): { html: string; headings: Heading[] } {
  const value = singleLineText(parseHtml(html).root);
  const paragraph: Root = {
    type: 'root',
    children: [{ type: 'element', tagName: 'p', properties: {}, children: [{ type: 'text', value }] }],
  };
  return sanitised(paragraph, options);
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
  let body = sanitised(root, options);
  for (let round = 1; round < MAX_ROUNDS; round += 1) {
    const again = sanitised(parseHtml(body.html).root, options);
    if (again.html === body.html) return { ...again, reduced };
    body = again;
  }
  return { ...textOnly(body.html, options), reduced: 'unstable' };
}
