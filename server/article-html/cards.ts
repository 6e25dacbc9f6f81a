import type { Element, ElementContent } from 'hast';
import { h, takeByClass, takeText, withText } from '#server/html/edit-elements.ts';
import { attribute, findAll, findByClass, findByName, hasClass } from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import * as en from '#shared/texts/en.ts';
import type { BodyContext } from './embeds.ts';

/** A card: a picture, a title, usually a link, and what follows. */
function card(title: ElementContent, content: ElementContent[] = [], image?: Element): Element[] {
  const children = [...(image ? [image] : []), h('p', {}, [title]), ...content];
  return [h('div', { className: ['b-card'] }, children)];
}

const paragraphs = (...texts: string[]) => texts.filter(Boolean).map((text) => withText('p', text));

/** The last line of a card: an icon and the text after it. */
function smallLine(text: string, icon?: Element): ElementContent[] {
  const children: ElementContent[] = [...(icon ? [icon] : []), { type: 'text', value: text }];
  return icon || text !== '' ? [h('p', {}, [h('small', {}, children)])] : [];
}

/** Returns the first image of one of these classes, or within an element of it. */
export function imageIn(parent: Element, ...names: string[]): Element | undefined {
  const holders = names.flatMap((name) => findByClass(parent, name) ?? []);
  return findByName(h('div', {}, holders), 'img');
}

/** A bookmark of Ghost. */
export function linkCard(block: Element): ElementContent[] | undefined {
  const link = findByName(block, 'a');
  if (!link) return undefined;
  const href = attribute(link, 'href');
  const icon = imageIn(block, 'kg-bookmark-icon');
  if (icon) Object.assign(icon.properties, { width: 16, height: 16 });
  const [title = '', description = '', ...by] = ['title', 'description', 'author', 'publisher'].map((part) =>
    takeText(block, `kg-bookmark-${part}`),
  );
  const caption = findByName(block, 'figcaption');
  const content = [
    ...paragraphs(description, caption ? singleLineText(caption) : ''),
    ...smallLine((icon ? ' ' : '') + by.filter(Boolean).join(' · '), icon),
  ];
  const linked = withText('a', title || URL.parse(href)?.host || href, { href });
  return card(linked, content, imageIn(block, 'kg-bookmark-thumbnail'));
}

/** Another site's article, as WordPress embeds it. */
export function postCard(quote: Element): ElementContent[] | undefined {
  const link = findByName(quote, 'a');
  return link && card(link);
}

/** A file to download: name, type, and size where it is written. */
export function fileCard(block: Element): ElementContent[] | undefined {
  const isNamed = (a: Element) => a.tagName === 'a' && !hasClass(a, 'b-open') && singleLineText(a) !== '';
  const [link] = findAll(block, isNamed);
  if (!link) return undefined;
  const href = attribute(link, 'href');
  const type = /\.(\w{2,5})(?:[?#]|$)/.exec(href)?.[1]?.toUpperCase() ?? '';
  const [written, caption = '', file, size] = ['title', 'caption', 'filename', 'filesize'].map((part) =>
    takeText(block, `kg-file-card-${part}`),
  );
  const title = written || singleLineText(link) || file || href;
  const small = [file, type, size].filter(Boolean).join(' · ');
  const linked = withText('a', title, { href, download: true });
  return card(linked, [...paragraphs(caption), ...smallLine(small)]);
}

/** A product of Ghost: picture, name, rating, description, button. */
export function productCard(block: Element, { t }: BodyContext): ElementContent[] | undefined {
  // An e-mail of Ghost has the class alone.
  if (!findByClass(block, 'kg-product-card-title')) return undefined;
  const stars = findAll(block, ({ properties }) =>
    String(properties.className).includes('rating-active'),
  ).length;
  const title = takeText(block, 'kg-product-card-title');
  const button = takeByClass(block, 'kg-product-card-button');
  const content = [
    ...paragraphs(stars > 0 ? t(en.starsOfFive, { stars }) : ''),
    ...(findByClass(block, 'kg-product-card-description')?.children ?? []),
    ...(button ? [h('p', {}, [button])] : []),
  ];
  return card(withText('strong', title), content, imageIn(block, 'kg-product-card-image'));
}
