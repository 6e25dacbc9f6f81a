import type { Element, ElementContent, Properties } from 'hast';
import { type Fragment, findByClass } from './find-elements.ts';
import { singleLineText } from './text-content.ts';

/** Replaces every element below `parent`, innermost first, in document order, by what `edit` returns; undefined keeps it. */
export function editChildren(
  parent: Fragment | Element,
  edit: (element: Element) => ElementContent[] | undefined,
): void {
  const edited: ElementContent[] = [];
  for (const child of parent.children) {
    if (child.type === 'element') editChildren(child, edit);
    const replacement = child.type === 'element' ? edit(child) : undefined;
    if (replacement) edited.push(...replacement);
    else edited.push(child);
  }
  parent.children = edited;
}

/** Replaces each run of nodes that fit, as long as it is, by what `edit` returns. */
export function editRuns(
  nodes: readonly ElementContent[],
  fits: (node: ElementContent) => boolean,
  edit: (run: ElementContent[]) => ElementContent[],
): ElementContent[] {
  const edited: ElementContent[] = [];
  let run: ElementContent[] = [];
  const end = () => {
    if (run.length > 0) edited.push(...edit(run));
    run = [];
  };
  for (const node of nodes) {
    if (fits(node)) run.push(node);
    else {
      end();
      edited.push(node);
    }
  }
  end();
  return edited;
}

/** Removes all elements below `parent` that fit. */
export function remove(parent: Fragment | Element, fits: (element: Element) => boolean): void {
  editChildren(parent, (element) => (fits(element) ? [] : undefined));
}

/** Makes an element. */
export function h(tagName: string, properties: Properties, children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}

/** Makes an element that holds a text and nothing else. */
export function withText(tagName: string, value: string, properties: Properties = {}): Element {
  return h(tagName, properties, [{ type: 'text', value }]);
}

/** Removes the first element below `parent` of a class, and returns it: what is written elsewhere is not written twice. */
export function takeByClass(parent: Element, name: string): Element | undefined {
  const found = findByClass(parent, name);
  if (found) remove(parent, (inner) => inner === found);
  return found;
}

/** Removes the first element below `parent` of each class, and returns the first text that one has; empty where none has. */
export function takeText(parent: Element, ...names: string[]): string {
  const taken = names.flatMap((name) => takeByClass(parent, name) ?? []);
  return taken.map(singleLineText).find(Boolean) ?? '';
}
