import type { Element, Root } from 'hast';
import { editChildren } from './edit-children.ts';

function wrapped(table: Element): Element {
  const properties = { className: ['table-scroll'], tabIndex: 0, role: 'region', ariaLabel: 'Table' };
  return { type: 'element', tagName: 'div', properties, children: [table] };
}

function isWrapper({ tagName, properties }: Element): boolean {
  return (
    tagName === 'div' && Array.isArray(properties.className) && properties.className.includes('table-scroll')
  );
}

/** Wraps every table in a region that scrolls by itself and can be focused by keyboard. */
export function wrapTables() {
  return (root: Root): void => {
    editChildren(root, (element) => {
      if (isWrapper(element)) return element.children;
      if (element.tagName === 'div') delete element.properties.className;
      return 'keep';
    });
    editChildren(root, (element) => (element.tagName === 'table' ? [wrapped(element)] : 'keep'));
  };
}
