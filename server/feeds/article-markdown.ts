import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';
import { parseHtml } from '#server/article-body/parse-html.ts';
import { longDate } from '#shared/dates.ts';
import type { Article } from '#shared/models/article.ts';
import { site } from '#shared/site.ts';
import { articlePath } from '#shared/urls.ts';

type Child = RootContent | ElementContent;

/** An article as Markdown: its title, who wrote it when, and its safe HTML. Links are absolute, from `origin`. */
export function articleMarkdown(article: Article, origin: string): string {
  const { title, description, author, publishedAt, bodyHtml } = article;
  const by = [author && `By ${escapeText(author)}`, publishedAt && longDate(publishedAt)].filter(Boolean);
  const parts = [
    `# ${escapeText(title)}`,
    description ? `_${escapeText(description)}_` : '',
    by.join(', '),
    ...blocksOf(parseHtml(bodyHtml).root, origin),
    `---\n\n${site.name}: <${new URL(articlePath(article), origin).href}>`,
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

/** The blocks of a container, each a piece of Markdown. Text between blocks is a block of its own. */
function blocksOf(parent: Root | Element, origin: string): string[] {
  const blocks: string[] = [];
  let run: Child[] = [];
  const endRun = () => {
    const text = inline(run, origin).trim();
    if (text !== '') blocks.push(text);
    run = [];
  };
  for (const child of parent.children) {
    const block = child.type === 'element' ? blockOf(child, origin) : null;
    if (block === null) run.push(child);
    else {
      endRun();
      blocks.push(...block);
    }
  }
  endRun();
  return blocks;
}

/** Null for what stands within a line. */
function blockOf(node: Element, origin: string): string[] | null {
  const { tagName } = node;
  const heading = HEADINGS[tagName];
  if (heading) return [`${heading} ${inline(node.children, origin).trim()}`];
  if (tagName === 'hr') return ['---'];
  if (tagName === 'blockquote') return [prefixed(blocksOf(node, origin).join('\n\n'), '> ', '> ')];
  if (tagName === 'ul' || tagName === 'ol') return [list(node, origin)];
  if (tagName === 'pre') return [`\`\`\`\n${textOf(node).replace(/\n$/, '')}\n\`\`\``];
  if (tagName === 'table') return [table(node, origin)];
  if (tagName === 'iframe') return [`<${String(node.properties.src ?? '')}>`];
  if (['p', 'figcaption', 'summary', 'dt', 'dd'].includes(tagName))
    return [inline(node.children, origin).trim()];
  return CONTAINERS.has(tagName) ? blocksOf(node, origin) : null;
}

function list(node: Element, origin: string): string {
  const items = node.children.filter((child) => child.type === 'element');
  const first = Number(node.properties.start ?? 1);
  return items
    .map((item, i) => {
      const mark = node.tagName === 'ol' ? `${first + i}. ` : '- ';
      return prefixed(blocksOf(item, origin).join('\n\n'), mark, ' '.repeat(mark.length));
    })
    .join('\n');
}

function table(node: Element, origin: string): string {
  const rows = elementsIn(node, 'tr').map((row) =>
    row.children
      .filter((cell) => cell.type === 'element')
      .map((cell) => inline(cell.children, origin).trim().replaceAll('|', '\\|')),
  );
  const width = Math.max(...rows.map((row) => row.length), 1);
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, i) => cells[i] ?? '').join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n');
}

function inline(nodes: readonly Child[], origin: string): string {
  return nodes.map((node) => inlineOf(node, origin)).join('');
}

function inlineOf(node: Child, origin: string): string {
  if (node.type === 'text') return escapeText(node.value.replace(/\s+/g, ' '));
  if (node.type !== 'element') return '';
  const { tagName, properties } = node;
  if (tagName === 'br') return '  \n';
  if (tagName === 'img')
    return `![${escapeText(String(properties.alt ?? ''))}](${address(properties.src, origin)})`;
  if (tagName === 'code') return `\`${textOf(node).replaceAll('`', 'ˋ')}\``;
  const text = inline(node.children, origin);
  if (tagName === 'a' && properties.href) return `[${text}](${address(properties.href, origin)})`;
  const mark = MARKS[tagName];
  return mark && text.trim() !== '' ? around(text, mark) : text;
}

/** Emphasis that begins or ends with a space is none. */
function around(text: string, mark: string): string {
  const inner = text.trim();
  const at = text.indexOf(inner);
  return `${text.slice(0, at)}${mark}${inner}${mark}${text.slice(at + inner.length)}`;
}

function address(value: unknown, origin: string): string {
  const url = URL.parse(String(value), origin)?.href ?? origin;
  return url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20');
}

/** What would be read as markup is text. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&').replaceAll('&', '&amp;');
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
