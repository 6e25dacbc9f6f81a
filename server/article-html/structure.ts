import type { Element, Root } from 'hast';
import { editChildren } from './edit-children.ts';
import { RENAMED_ELEMENTS } from './sanitize-schema.ts';

/** Renames containers (`section`, `form`, ...) to plain blocks, before the allow-list drops them. */
export function renameContainers() {
  return (root: Root): void => {
    editChildren(root, (element) => {
      const name = Object.hasOwn(RENAMED_ELEMENTS, element.tagName)
        ? RENAMED_ELEMENTS[element.tagName]
        : undefined;
      if (name !== undefined) element.tagName = name;
      return 'keep';
    });
  };
}

/** Parsers drop the first newline of a `pre`: without one the text stays the same however often it is parsed. */
function dropFirstNewlines(pre: Element): void {
  for (let first = pre.children[0]; first?.type === 'text'; first = pre.children[0]) {
    first.value = first.value.replace(/^[\r\n]+/, '');
    if (first.value !== '') return;
    pre.children.shift();
  }
}

/** Makes preformatted text stable when it is parsed again, and lets it take the focus: it scrolls by itself. */
export function rebuildPreformatted() {
  return (root: Root): void => {
    editChildren(root, (element) => {
      if (element.tagName !== 'pre') return 'keep';
      dropFirstNewlines(element);
      element.properties.tabIndex = 0;
      return 'keep';
    });
  };
}
