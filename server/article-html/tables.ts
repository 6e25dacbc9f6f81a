import type { Element, Root } from 'hast';
import { singleLineText } from '#server/html/text-content.ts';
import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
import { classesOf, editChildren, h } from './elements.ts';

function wrapped(table: Element, ariaLabel: string): Element {
  const properties = { className: ['table-scroll'], tabIndex: 0, role: 'region', ariaLabel };
  return h('div', properties, [table]);
}

function captionOf({ children }: Element): string {
  const caption = children.find((child) => child.type === 'element' && child.tagName === 'caption');
  return caption ? singleLineText(caption) : '';
}

/** Returns the name of a table's region: its caption, or Table; several of one name are numbered. */
function createNames(t: Translate): (table: Element) => string {
  const counts = new Map<string, number>();
  return (table) => {
    const name = captionOf(table) || t(en.table);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  };
}

/** Whether a `div` is what an earlier round wrapped a table in. */
export function isTableWrapper(element: Element): boolean {
  return classesOf(element).includes('table-scroll');
}

/** Wraps every table in a region of its own name that scrolls by itself and can be focused by keyboard. */
export function wrapTables(root: Root, t: Translate): void {
  const nameOf = createNames(t);
  editChildren(root, (element) =>
    element.tagName === 'table' ? [wrapped(element, nameOf(element))] : undefined,
  );
}
