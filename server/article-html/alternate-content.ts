import type { Element } from 'hast';
import { editChildren, h, remove } from '#server/html/edit-elements.ts';
import {
  attribute,
  classesOf,
  type Fragment,
  findAll,
  findByName,
  hasClass,
  isEmpty,
} from '#server/html/find-elements.ts';
import { parseBoundedHtml } from '#server/html/parse-bounded-html.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { sourceOf } from './lazy-media.ts';
import { loadedFrom } from './links.ts';

/** Elements that show what they load. */
export const LOADED = /^(?:img|iframe|audio|video)$/;

/** Returns what an image, a frame or a recording loads. */
function loadedBy(element: Element): string {
  const [source = element] = findAll(element, 'source');
  return loadedFrom(attribute(element, 'src') || attribute(source, 'src'));
}

/** Documents that are read, and elements of one that is kept: without bounds they would multiply those of a body. */
const MAX_DOCUMENTS = 20;
const MAX_ELEMENTS = 500;

const FRAME = /^\s*<(?:audio|iframe|video)\b/i;

/**
 * Returns the HTML that an element keeps as text: the document of a frame (`srcdoc`), the player in an attribute of an element
 * without content, what Borlabs Cookie shows after consent (base64). Empty for any other.
 */
function documentOf(element: Element): string {
  if (element.tagName === 'iframe')
    return sourceOf(element) === undefined ? attribute(element, 'srcDoc') : '';
  const player = Object.values(element.properties).find((value) => FRAME.test(String(value)));
  if (player && isEmpty(element)) return String(player);
  const template = attribute(element, 'dataBorlabsCookieType') && findByName(element, 'script');
  const [text] = template ? template.children : [];
  const encoded = text?.type === 'text' ? text.value : attribute(element, 'dataBorlabsCookieContent');
  return Buffer.from(encoded, 'base64').toString();
}

/** Replaces elements that keep a document as text by what it holds. */
export function unwrapDocuments(root: Fragment): void {
  let documents = 0;
  editChildren(root, (element) => {
    const document = documents < MAX_DOCUMENTS ? documentOf(element) : '';
    if (document === '') return undefined;
    documents += 1;
    const held = parseBoundedHtml(document).root;
    let elements = 0;
    editChildren(held, () => {
      elements += 1;
      return undefined;
    });
    return elements > MAX_ELEMENTS ? undefined : held.children;
  });
}

/** Keeps what a `noscript` shows and the page does not show already. */
export function unwrapNoscript(root: Fragment): void {
  const loading = findAll(root, ({ tagName }) => LOADED.test(tagName) || tagName === 'noscript');
  const shown = new Set(loading.map(loadedBy));
  const spares = findAll(root, 'noscript').flatMap((spare) => findAll(spare, 'img'));
  const names = new Set(spares.map((img) => attribute(img, 'alt')));
  editChildren(root, (element) => {
    // It keeps the place of an image that a script would load.
    if (element.tagName === 'img' && attribute(element, 'src') === '' && names.has(attribute(element, 'alt')))
      return [];
    if (element.tagName !== 'noscript') return undefined;
    const isShown = (inner: Element) => LOADED.test(inner.tagName) && shown.has(loadedBy(inner));
    remove(element, isShown);
    // Nobody here can do what it asks for.
    if (/java ?script/i.test(singleLineText(h('div', {}, element.children)))) return findAll(element, LOADED);
    return element.children;
  });
}

/** Classes of elements that are shown on some screens alone. */
const FOR_SCREENS =
  /(?:^d|hid(?:e|den)|kvs|show|visible)[-_](?:[a-z\d]+[-_]){0,4}(?:desktop|tablet|mob(?:ile)?|phone|xs|sm|md|lg)|(?:desktop|tablet|mobile|phone|small|medium|large)-(?:only|visibility)/i;

/** Removes what says and shows the same as something before it that is for other screens. Cells hold the place of their column. */
export function dropVersions(root: Fragment): void {
  /** The screens of the first, by what it says and shows. */
  const first = new Map<string, string | undefined>();
  const isVersion = (element: Element) => !/^t[dhr]$/.test(element.tagName) && hasClass(element, FOR_SCREENS);
  const isRepeated = (version: Element) => {
    const said = [singleLineText(version), ...findAll(version, LOADED).map(loadedBy)].join(' ').trim();
    const screens = classesOf(version).find((name) => FOR_SCREENS.test(name));
    if (!first.has(said)) first.set(said, screens);
    return said !== '' && first.get(said) !== screens;
  };
  const repeated = new Set(findAll(root, isVersion).filter(isRepeated));
  remove(root, (element) => repeated.has(element));
}
