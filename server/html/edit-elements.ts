import type { Element, ElementContent, Properties, Root, RootContent } from 'hast';
import { singleLineText } from './text-content.ts';

/** Replaces every element below `parent`, innermost first, in document order, by what `edit` returns; undefined keeps it. */
export function editChildren(
  parent: Root | Element,
  edit: (element: Element) => ElementContent[] | undefined,
): void {
  const children: readonly RootContent[] = parent.children;
  parent.children = children.flatMap((child): ElementContent[] => {
    if (child.type === 'doctype') return [];
    if (child.type !== 'element') return [child];
    editChildren(child, edit);
    return edit(child) ?? [child];
  });
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

/** Makes an element. */
export function h(tagName: string, properties: Properties, children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}

/** Makes an element that holds a text and nothing else. */
export function withText(tagName: string, value: string, properties: Properties = {}): Element {
  return h(tagName, properties, [{ type: 'text', value }]);
}

/** Returns the classes of an element. */
export function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

/** Returns an attribute's text without space around it; empty where there is none. */
export function attribute({ properties }: Element, name: string): string {
  const value = properties[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Returns all elements below `parent` of a name, or that fit, in document order. A found one is not searched. */
export function findAll(parent: Root | Element, fits: string | ((element: Element) => boolean)): Element[] {
  const isFound = typeof fits === 'string' ? ({ tagName }: Element) => tagName === fits : fits;
  return parent.children.flatMap((child) => {
    if (child.type !== 'element') return [];
    return isFound(child) ? [child] : findAll(child, isFound);
  });
}

/** Returns the first element below `parent` of one of these names. */
export function findByName(parent: Root | Element, ...names: string[]): Element | undefined {
  return findAll(parent, ({ tagName }) => names.includes(tagName))[0];
}

/** Returns the first element below `parent` of a class. */
export function findByClass(parent: Root | Element, name: string): Element | undefined {
  return findAll(parent, (element) => classesOf(element).includes(name))[0];
}

/** Removes the first element below `parent` of a class, and returns it: what is written elsewhere is not written twice. */
export function takeByClass(parent: Element, name: string): Element | undefined {
  const found = findByClass(parent, name);
  if (found) editChildren(parent, (inner) => (inner === found ? [] : undefined));
  return found;
}

/** Removes the first element below `parent` of a class, and returns its text; empty where there is none. */
export function takeText(parent: Element, name: string): string {
  const taken = takeByClass(parent, name);
  return taken ? singleLineText(taken) : '';
}

/** Whether a node is the caption of a figure. */
export function isCaption(node: RootContent): node is Element {
  return node.type === 'element' && node.tagName === 'figcaption';
}

/** White space, and characters that editors put where nothing is written. */
const BLANK = /^[\s\u00ad\u200b-\u200d\u2060\u2800\u3164]*$/;

/** Whether an element and what is below it shows nothing: no text, and no element that is shown without one. */
export function isEmpty({ tagName, children }: Element): boolean {
  if (/^(?:img|audio|video|hr|iframe|object|embed|t[dhr]|wbr|rp|rt)$/.test(tagName)) return false;
  return children.every(
    (child) =>
      (child.type === 'text' && BLANK.test(child.value)) || (child.type === 'element' && isEmpty(child)),
  );
}
