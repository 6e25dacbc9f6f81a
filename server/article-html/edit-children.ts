import type { Element, ElementContent, Root, RootContent } from 'hast';

/** Returns the nodes that replace an element; undefined keeps it. */
export type Edit = (element: Element) => ElementContent[] | undefined;

function edited(children: readonly RootContent[], edit: Edit): RootContent[] {
  return children.flatMap((child): RootContent[] => {
    if (child.type !== 'element') return [child];
    editChildren(child, edit);
    return edit(child) ?? [child];
  });
}

function isElementContent(node: RootContent): node is ElementContent {
  return node.type !== 'doctype';
}

/** Edits every element below `parent`, innermost first, in document order. */
export function editChildren(parent: Root | Element, edit: Edit): void {
  const children = edited(parent.children, edit);
  if (parent.type === 'root') parent.children = children;
  else parent.children = children.filter(isElementContent);
}
