import type { Nodes } from 'hast';
import { DROPPED_ELEMENTS } from './sanitize-schema.ts';

/** Elements that stand within a line; all others part words. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const DROPPED = new Set(DROPPED_ELEMENTS);

function collect(node: Nodes, parts: string[]): void {
  if (node.type === 'text') parts.push(node.value);
  if (node.type !== 'element' && node.type !== 'root') return;
  if (node.type === 'element' && DROPPED.has(node.tagName)) return;
  const parting = node.type === 'element' && !INLINE.has(node.tagName);
  if (parting) parts.push(' ');
  for (const child of node.children) collect(child, parts);
  if (parting) parts.push(' ');
}

/** The text a reader would see, with a space where a block or a line ends. White space is left as it stands. */
export function textContent(node: Nodes): string {
  const parts: string[] = [];
  collect(node, parts);
  return parts.join('');
}
