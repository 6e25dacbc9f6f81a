import type { Element, ElementContent, Root } from 'hast';

/** The root of parsed HTML that is no whole document, and so has no doctype. */
export interface Fragment extends Root {
  children: ElementContent[];
}

/** Returns a root as that of a fragment. */
export function fragmentOf(root: Root): Fragment {
  return { ...root, children: root.children.filter((child) => child.type !== 'doctype') };
}

/** Returns the classes of an element. */
export function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

/** Whether an element has a class, or one that a pattern matches. */
export function hasClass(element: Element, wanted: string | RegExp): boolean {
  const names = classesOf(element);
  return typeof wanted === 'string' ? names.includes(wanted) : names.some((name) => wanted.test(name));
}

/**
 * Returns the text, without space around it, of the first attribute of these names that has one; empty where none has. All words
 * of a list, such as those of `class`, are none.
 */
export function attribute({ properties }: Element, ...names: readonly string[]): string {
  for (const name of names) {
    const value = properties[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text !== '') return text;
  }
  return '';
}

/** Returns the texts of all attributes whose name matches a pattern, as `attribute` does, in the order in which they are written. */
export function attributesLike(element: Element, pattern: RegExp): string[] {
  const names = Object.keys(element.properties).filter((name) => pattern.test(name));
  return names.map((name) => attribute(element, name));
}

/** What finds elements: a name, a pattern of names, or a check. */
export type Fits = string | RegExp | ((element: Element) => boolean);

/** Returns all elements below `parent` that fit, in document order. A found one is not searched. */
export function findAll(parent: Fragment | Element, fits: Fits): Element[] {
  if (typeof fits === 'string') return findAll(parent, ({ tagName }) => tagName === fits);
  if (fits instanceof RegExp) return findAll(parent, ({ tagName }) => fits.test(tagName));
  return parent.children.flatMap((child) => {
    if (child.type !== 'element') return [];
    return fits(child) ? [child] : findAll(child, fits);
  });
}

/** Returns the first element below `parent` of one of these names. */
export function findByName(parent: Fragment | Element, ...names: string[]): Element | undefined {
  return findAll(parent, ({ tagName }) => names.includes(tagName))[0];
}

/** Returns the first element below `parent` of a class. */
export function findByClass(parent: Fragment | Element, name: string): Element | undefined {
  return findAll(parent, (element) => hasClass(element, name))[0];
}

/** Whether a node is the caption of a figure. */
export function isCaption(node: ElementContent): node is Element {
  return node.type === 'element' && node.tagName === 'figcaption';
}

/** White space, and characters that editors put where nothing is written. */
const BLANK = /^[\s\u00ad\u200b-\u200d\u2060\u2800\u3164]*$/;
/** Elements that are shown without a text. */
const SHOWN = /^(?:img|audio|video|hr|iframe|object|embed|t[dhr]|wbr|rp|rt)$/;

/** Whether a node and what is below it shows nothing: no text, and no element that is shown without one. */
export function isEmpty(node: ElementContent): boolean {
  if (node.type !== 'element') return node.type !== 'text' || BLANK.test(node.value);
  return !SHOWN.test(node.tagName) && node.children.every(isEmpty);
}
