import type { Element, ElementContent, Properties } from 'hast';
import { editChildren, h } from '#server/html/edit-elements.ts';
import { attribute, findAll, findByClass, findByName, isCaption } from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { isPicture } from './lazy-media.ts';
import { isFile, keptRels } from './links.ts';

/** Whether a link leads to nothing but the page that WordPress makes of each picture. */
function leadsToPicturePage(link: Element, holder: Element, img: Element): boolean {
  if (keptRels(link).length > 0) return false;
  const isMarked = attribute(img, 'dataLink', 'dataPermalink', 'dataOrigFile') !== '';
  if (isMarked || findByClass(holder, 'gallery-icon')) return true;
  const origin = URL.parse(attribute(link, 'href'))?.origin;
  const isOfSameSite = origin !== undefined && origin === URL.parse(attribute(img, 'src'))?.origin;
  return isOfSameSite && findByClass(holder, 'wp-block-image') !== undefined;
}

/** Returns the attributes of a picture's link: the author's own, else one to the largest picture that the markup names. */
function linkOf(holder: Element, img: Element): Properties {
  const around = h('div', {}, [holder]);
  const links = findAll(around, 'a');
  // A caption has links of its own.
  const link =
    links.find((each) => findByName(each, 'img')) ?? links.find((each) => isPicture(attribute(each, 'href')));
  const href = link ? attribute(link, 'href') : '';
  if (link && href !== '' && (isFile(href) || !leadsToPicturePage(link, around, img))) return link.properties;
  return { href: attribute(img, 'dataFullUrl', 'dataOrigFile', 'src') };
}

/** A picture, and what of a gallery is its own: its caption, its link. */
type Item = [holder: Element, img: Element];

function figureOf([holder, img]: Item): Element {
  const whole = h('a', linkOf(holder, img), [img]);
  editChildren(holder, (inner) => {
    if (inner === img) return [];
    // The words of a picture's link are its caption, and a caption holds no figure.
    return inner.properties === whole.properties || inner.tagName === 'figure' ? inner.children : undefined;
  });
  const { children } = findByName(holder, 'figcaption', 'dd') ?? holder;
  const caption = h('figcaption', {}, children);
  return h('figure', {}, singleLineText(caption) === '' ? [whole] : [whole, caption]);
}

function collect(parent: Element, items: Item[], rest: ElementContent[]): void {
  for (const child of parent.children) {
    const images = findAll(h('div', {}, [child]), 'img');
    if (child.type === 'element' && images.length > 1) collect(child, items, rest);
    else if (child.type === 'element' && images[0]) items.push([child, images[0]]);
    else if (child.type !== 'element' || child.tagName !== 'br') rest.push(child);
  }
}

/** A gallery: figures, each with its caption and a link to the whole picture, and what else was in it. */
export function gallery(block: Element): ElementContent[] | undefined {
  const items: Item[] = [];
  const rest: ElementContent[] = [];
  collect(block, items, rest);
  if (items.length < 2) return undefined;
  const pictures = items.map(figureOf);
  const figure = h('figure', { className: ['b-gallery'] }, [...pictures, ...rest.filter(isCaption)]);
  // Without words the white space between pictures says nothing.
  const hasWords = rest.some((node) => node.type === 'text' && node.value.trim() !== '');
  return [figure, ...rest.filter((node) => !isCaption(node) && (hasWords || node.type !== 'text'))];
}
