import type { Nodes } from 'hast';

/** Elements that are dropped with their content: code, foreign namespaces, form controls, and whatever loads by itself. */
export const DROPPED_ELEMENTS = [
  'script style noscript template xml svg math object embed applet param slot',
  'input button select option optgroup datalist textarea meter progress keygen',
  'meta base link title head frame frameset noframes noembed xmp plaintext portal',
  'video audio source track canvas map area dialog fencedframe image',
].flatMap((names) => names.split(' '));

/** Elements within a line; all others separate words. */
export const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark nobr q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const DROPPED = new Set(DROPPED_ELEMENTS);

function collect(node: Nodes, parts: string[]): void {
  if (node.type === 'text') parts.push(node.value);
  if (node.type !== 'element' && node.type !== 'root') return;
  if (node.type === 'element' && DROPPED.has(node.tagName)) return;
  const separatesWords = node.type === 'element' && !INLINE.has(node.tagName);
  if (separatesWords) parts.push(' ');
  for (const child of node.children) collect(child, parts);
  if (separatesWords) parts.push(' ');
}

/** Returns the text that a reader sees, with a space where a block or a line ends. Leaves white space as it is. */
export function textContent(node: Nodes): string {
  const parts: string[] = [];
  collect(node, parts);
  return parts.join('');
}

/** Returns the text that a reader sees in one line: white space is collapsed, and removed at both ends. */
export function singleLineText(node: Nodes): string {
  return textContent(node).replace(/\s+/g, ' ').trim();
}

/** Returns what a text that is HTML says, without its tags. */
export function withoutTags(html: string): string {
  return html.replace(/<[^<>]*>/g, '');
}
