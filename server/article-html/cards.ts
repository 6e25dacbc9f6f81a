import type { Element, ElementContent } from 'hast';
import {
  attribute,
  classesOf,
  findAll,
  findByClass,
  findByName,
  h,
  takeByClass,
  takeText,
  withText,
} from '#server/html/edit-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import * as en from '#shared/texts/en.ts';
import type { BodyContext } from './embeds.ts';

interface Card {
  image?: Element | undefined;
  title: ElementContent;
  texts?: readonly string[];
  content?: readonly ElementContent[];
  /** Small, last. */
  meta?: readonly (ElementContent | string)[];
}

/** A card: a picture, a title, usually a link, texts, and a small line. */
function card({ image, title, texts = [], content = [], meta = [] }: Card): Element[] {
  const small = meta.flatMap((part): ElementContent[] =>
    typeof part === 'string' ? (part ? [{ type: 'text', value: part }] : []) : [part],
  );
  return [
    h('div', { className: ['b-card'] }, [
      ...(image ? [image] : []),
      h('p', {}, [title]),
      ...texts.filter(Boolean).map((text) => withText('p', text)),
      ...content,
      ...(small.length > 0 ? [h('p', {}, [h('small', {}, small)])] : []),
    ]),
  ];
}

/** Returns the first image of a class, or within an element of it. */
export function imageIn(parent: Element, name: string): Element | undefined {
  const found = findByClass(parent, name);
  return found?.tagName === 'img' ? found : found && findByName(found, 'img');
}

/** Classes of the parts of a bookmark: of Ghost, of Notion and of Medium. */
const BOOKMARK = {
  icon: ['kg-bookmark-icon', 'bookmark-icon'],
  image: ['kg-bookmark-thumbnail', 'bookmark-image', 'mixtapeImage'],
  title: ['kg-bookmark-title', 'bookmark-title', 'markup--mixtapeEmbed-strong'],
  description: ['kg-bookmark-description', 'bookmark-description', 'markup--mixtapeEmbed-em'],
};

/** A bookmark. */
export function linkCard(block: Element): ElementContent[] | undefined {
  const link = block.tagName === 'a' ? block : findByName(block, 'a');
  if (!link) return undefined;
  const image = (names: string[]) => names.map((name) => imageIn(block, name)).find(Boolean);
  const text = (names: string[]) => names.map((name) => takeText(block, name)).find(Boolean) ?? '';
  const href = attribute(link, 'href');
  const icon = image(BOOKMARK.icon);
  if (icon) Object.assign(icon.properties, { width: 16, height: 16 });
  const title = text(BOOKMARK.title);
  const description = text(BOOKMARK.description);
  const by = ['kg-bookmark-author', 'kg-bookmark-publisher', 'bookmark-href'].map((name) =>
    takeText(block, name),
  );
  const caption = findByName(block, 'figcaption');
  return card({
    image: image(BOOKMARK.image),
    title: withText('a', title || URL.parse(href)?.host || href, { href }),
    texts: [description, caption ? singleLineText(caption) : ''],
    meta: [...(icon ? [icon, ' '] : []), by.filter(Boolean).join(' · ')],
  });
}

/** Another site's article, as WordPress embeds it. */
export function postCard(quote: Element): ElementContent[] | undefined {
  const link = findByName(quote, 'a');
  return link && card({ title: link });
}

/** A file to download: name, type, and size where it is written. */
export function fileCard(block: Element): ElementContent[] | undefined {
  const isNamed = (a: Element) =>
    a.tagName === 'a' && !classesOf(a).includes('b-open') && singleLineText(a) !== '';
  const [link] = findAll(block, isNamed);
  if (!link) return undefined;
  const href = attribute(link, 'href');
  const type = /\.(\w{2,5})(?:[?#]|$)/.exec(href)?.[1]?.toUpperCase() ?? '';
  const [written, caption = '', file, size] = ['title', 'caption', 'filename', 'filesize'].map((part) =>
    takeText(block, `kg-file-card-${part}`),
  );
  const title = written || singleLineText(link) || file || href;
  return card({
    title: withText('a', title, { href, download: true }),
    texts: [caption],
    meta: [[file, type, size].filter(Boolean).join(' · ')],
  });
}

/** A product of Ghost: picture, name, rating, description, button. */
export function productCard(block: Element, { t }: BodyContext): ElementContent[] {
  const stars = findAll(block, ({ properties }) =>
    String(properties.className).includes('rating-active'),
  ).length;
  const title = takeText(block, 'kg-product-card-title');
  const button = takeByClass(block, 'kg-product-card-button');
  return card({
    image: imageIn(block, 'kg-product-card-image'),
    title: withText('strong', title),
    texts: stars > 0 ? [t(en.starsOfFive, { stars })] : [],
    content: [
      ...(findByClass(block, 'kg-product-card-description')?.children ?? []),
      ...(button ? [h('p', {}, [button])] : []),
    ],
  });
}
