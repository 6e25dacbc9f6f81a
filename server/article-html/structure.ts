import type { Element, Root } from 'hast';
import { editChildren } from './edit-children.ts';
import { RENAMED_ELEMENTS } from './sanitize-schema.ts';

/** Gives containers of the page (`section`, `form`, ...) the name of a plain block, before the allow-list sees them. */
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

/** A parser swallows the first newline of a `pre`: with none there, the text stays the same however often it is read. */
function dropFirstNewlines(pre: Element): void {
  for (let first = pre.children[0]; first?.type === 'text'; first = pre.children[0]) {
    first.value = first.value.replace(/^[\r\n]+/, '');
    if (first.value !== '') return;
    pre.children.shift();
  }
}

/** Makes preformatted text stable under another parse. */
export function settlePreformatted() {
  return (root: Root): void => {
    editChildren(root, (element) => {
      if (element.tagName === 'pre') dropFirstNewlines(element);
      return 'keep';
    });
  };
}
