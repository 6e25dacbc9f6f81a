import type { Element, ElementContent } from 'hast';
import { attribute, findAll, findByName, h } from '#server/html/elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { isFile } from './links.ts';

const imagesIn = (element: Element) => findAll(element, ({ tagName }) => tagName === 'img');

/** Returns the address of the whole picture: where the author linked to it, else the largest that the markup names. */
function wholePicture(img: Element, href: string): string {
  if (isFile(href)) return href;
  return attribute(img, 'dataFullUrl') || attribute(img, 'dataOrigFile') || attribute(img, 'src');
}

function item(holder: Element, img: Element): Element {
  const link = findByName(h('div', {}, [holder]), 'a');
  const whole = h('a', { href: wholePicture(img, link ? attribute(link, 'href') : '') }, [img]);
  const caption =
    findByName(holder, 'figcaption', 'dd') ?? (singleLineText(holder) === '' ? undefined : holder);
  const text =
    caption === holder
      ? [{ type: 'text' as const, value: singleLineText(holder) }]
      : (caption?.children ?? []);
  return h('figure', {}, text.length > 0 ? [whole, h('figcaption', {}, text)] : [whole]);
}

function collect(parent: Element, items: Element[], rest: ElementContent[]): void {
  for (const child of parent.children) {
    const images = child.type !== 'element' ? [] : child.tagName === 'img' ? [child] : imagesIn(child);
    if (child.type === 'element' && images.length > 1) collect(child, items, rest);
    else if (child.type === 'element' && images[0]) items.push(item(child, images[0]));
    else if (child.type === 'element' && child.tagName !== 'br') rest.push(child);
  }
}

/** A gallery: figures, each with its caption and a link to the whole picture, and what else was in it. */
export function gallery(block: Element): ElementContent[] | undefined {
  const items: Element[] = [];
  const rest: ElementContent[] = [];
  collect(block, items, rest);
  const isCaption = (node: ElementContent) => node.type === 'element' && node.tagName === 'figcaption';
  if (items.length < 2) return undefined;
  const figure = h('figure', { className: ['b-gallery'] }, [...items, ...rest.filter(isCaption)]);
  return [figure, ...rest.filter((node) => !isCaption(node))];
}
