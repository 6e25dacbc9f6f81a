import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';
import { parseHtml } from '#server/html/parse-html.ts';
import { longDate } from '#shared/dates.ts';
import type { Article } from '#shared/models/article.ts';
import { site } from '#shared/site.ts';
import { articlePath } from '#shared/urls.ts';

type Child = RootContent | ElementContent;

/** Base of links, and the number of quotes and lists around the block. */
interface Context {
  url: string;
  nesting: number;
}

/** Deeper quotes and lists lose their prefix: prefixes grow with the square of the depth. */
const MAX_NESTING = 16;

/** Returns an article as Markdown (GFM): title, description, byline, body and URL. Links are absolute, from `origin`. */
export function articleMarkdown(article: Article, origin: string): string {
  const { title, description, author, publishedAt, bodyHtml } = article;
  const url = new URL(articlePath(article), origin).href;
  const by = [author && `By ${escapeText(author)}`, publishedAt && longDate(publishedAt)].filter(Boolean);
  const parts = [
    `# ${escapeText(title)}`,
    description ? `_${escapeText(description)}_` : '',
    by.join(', '),
    ...blocksOf(parseHtml(bodyHtml).root, { url, nesting: 0 }),
    `---\n\n${site.name}: <${url}>`,
  ];
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
}

const HEADINGS: Record<string, string> = { h2: '##', h3: '###', h4: '####', h5: '#####', h6: '######' };
const MARKS: Record<string, string> = {
  strong: '**',
  b: '**',
  em: '_',
  i: '_',
  cite: '_',
  del: '~~',
  s: '~~',
};
const CONTAINERS = new Set(['div', 'figure', 'details', 'dl']);

/** Returns the blocks of a container as Markdown. Text between blocks is a block of its own. */
function blocksOf(parent: Root | Element, context: Context): string[] {
  const blocks: string[] = [];
  let run: Child[] = [];
  const endRun = () => {
    const text = paragraph(run, context);
    if (text !== '') blocks.push(text);
    run = [];
  };
  for (const child of parent.children) {
    const block = child.type === 'element' ? blockOf(child, context) : null;
    if (block === null) run.push(child);
    else {
      endRun();
      blocks.push(...block);
    }
  }
  endRun();
  return blocks;
}

/** Null for inline nodes. */
function blockOf(node: Element, context: Context): string[] | null {
  const { tagName } = node;
  const heading = HEADINGS[tagName];
  if (heading) return [`${heading} ${line(node.children, context)}`];
  if (tagName === 'hr') return ['---'];
  if (tagName === 'blockquote') return nested(node, context, '> ', '> ');
  if (tagName === 'ul' || tagName === 'ol') return [list(node, context)];
  if (tagName === 'pre') return [codeBlock(textOf(node))];
  if (tagName === 'table') return [table(node, context)];
  if (tagName === 'iframe') return [`<${String(node.properties.src ?? '')}>`];
  if (['p', 'figcaption', 'summary', 'dt', 'dd'].includes(tagName))
    return [paragraph(node.children, context)];
  return CONTAINERS.has(tagName) ? blocksOf(node, context) : null;
}

function list(node: Element, context: Context): string {
  const first = Math.max(0, Number(node.properties.start ?? 1));
  return itemsOf(node)
    .map((item, i) => {
      const mark = node.tagName === 'ol' ? `${first + i}. ` : '- ';
      return nested(item, context, mark, ' '.repeat(mark.length)).join('\n\n');
    })
    .join('\n');
}

/**
 * Returns the items of a list. Editors also put text and lists directly into one: a list joins the item before it, as
 * browsers show it, and other nodes between two items are an item.
 */
function itemsOf({ children }: Element): Element[] {
  const items: Element[] = [];
  let isOpen = false;
  for (const child of children) {
    const isList = child.type === 'element' && (child.tagName === 'ul' || child.tagName === 'ol');
    const last = items.at(-1);
    if (child.type === 'element' && child.tagName === 'li') {
      items.push({ ...child, children: [...child.children] });
      isOpen = false;
    } else if (last && (isOpen || isList)) last.children.push(child);
    else if (textOf(child).trim() !== '' || child.type === 'element') {
      items.push({ type: 'element', tagName: 'li', properties: {}, children: [child] });
      isOpen = true;
    }
  }
  return items;
}

/** GFM pads short rows: only the head row, which sets the width, is padded here. */
function table(node: Element, context: Context): string {
  const rows = elementsIn(node, 'tr').map((row) =>
    row.children
      .filter((cell) => cell.type === 'element')
      .map((cell) => line(cell.children, context).replace(/(?<!\\)\|/g, '\\|')),
  );
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 1);
  const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head = [], ...body] = rows;
  const filled = Array.from({ length: width }, (_, i) => head[i] ?? '');
  return [rowOf(filled), rowOf(filled.map(() => '---')), ...body.map(rowOf)].join('\n');
}

/** Prefixes the blocks of a quote or a list item. */
function nested(node: Element, context: Context, first: string, others: string): string[] {
  const blocks = blocksOf(node, { ...context, nesting: context.nesting + 1 });
  return context.nesting < MAX_NESTING ? [prefixed(blocks.join('\n\n'), first, others)] : blocks;
}

/** The fence is longer than any run of backticks in the code (CommonMark 4.5). */
function fenceFor(code: string, shortest: number): string {
  const longest = (code.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 0);
  return '`'.repeat(Math.max(shortest, longest + 1));
}

function codeBlock(code: string): string {
  const fence = fenceFor(code, 3);
  return `${fence}\n${code.replace(/\n$/, '')}\n${fence}`;
}

/** Inline code: a line break could end it, and make markup of what follows. */
function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ');
  if (code.trim() === '') return code;
  const fence = fenceFor(code, 1);
  const space = /^[` ]|[` ]$/.test(code) ? ' ' : '';
  return `${fence}${space}${code}${space}${fence}`;
}

/** Escapes line beginnings that would make a list item or a heading's underline. */
function paragraph(nodes: readonly Child[], context: Context): string {
  return inline(nodes, context)
    .trim()
    .replace(/^[^\S\n]*([-+=]|\d+(?=[.)]))/gm, (_, start: string) =>
      /\d/.test(start) ? `${start}\\` : `\\${start}`,
    );
}

/** Returns the text of a heading or a cell on one line. */
function line(nodes: readonly Child[], context: Context): string {
  return inline(nodes, context)
    .trim()
    .replace(/ *\n */g, ' ');
}

function inline(nodes: readonly Child[], context: Context): string {
  return nodes.map((node) => inlineOf(node, context)).join('');
}

function inlineOf(node: Child, context: Context): string {
  if (node.type === 'text') return escapeText(node.value);
  if (node.type !== 'element') return '';
  const { tagName, properties } = node;
  if (tagName === 'br') return '  \n';
  if (tagName === 'img')
    return `![${escapeText(String(properties.alt ?? ''))}](${address(properties.src, context)})`;
  if (tagName === 'code') return codeSpan(textOf(node));
  const text = inline(node.children, context);
  if (tagName === 'a' && properties.href) return `[${text}](${address(properties.href, context)})`;
  const mark = MARKS[tagName];
  return mark && text.trim() !== '' ? around(text, mark) : text;
}

/** Markdown has no emphasis that begins or ends with a space. */
function around(text: string, mark: string): string {
  const inner = text.trim();
  const at = text.indexOf(inner);
  return `${text.slice(0, at)}${mark}${inner}${mark}${text.slice(at + inner.length)}`;
}

function address(value: unknown, { url }: Context): string {
  const target = URL.parse(String(value), url)?.href ?? url;
  return target
    .replace(/[()\s\\`|<>]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
    .replace(/&(?=#?\w+;)/g, '&amp;');
}

/** Escapes text to one line without markup. A `!` at its end would make an image of a link that follows. */
function escapeText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#|~]|!$/g, '\\$&')
    .replaceAll('&', '&amp;');
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, i) => (i === 0 ? first + line : `${others}${line}`.trimEnd()))
    .join('\n');
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

function elementsIn(node: Element, tagName: string): Element[] {
  return node.children.flatMap((child) => {
    if (child.type !== 'element') return [];
    return child.tagName === tagName ? [child] : elementsIn(child, tagName);
  });
}
