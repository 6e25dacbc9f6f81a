import type { Element } from 'hast';
import { editChildren, h, remove } from '#server/html/edit-elements.ts';
import {
  attribute,
  classesOf,
  type Fragment,
  findAll,
  findByName,
  isCaption,
  isEmpty,
} from '#server/html/find-elements.ts';
import { parseBoundedHtml } from '#server/html/parse-bounded-html.ts';
import { singleLineText } from '#server/html/text-content.ts';
import type { NoteLoss } from './embeds.ts';
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
    // What is left of its figure is a caption that stands twice.
    remove(
      element,
      (inner) => isShown(inner) || (inner.tagName === 'figure' && inner.children.every(isCaption)),
    );
    // Nobody here can do what it asks for.
    if (/java ?script/i.test(singleLineText(h('div', {}, element.children)))) return findAll(element, LOADED);
    return element.children;
  });
}

/** Classes of elements that are shown on some screens alone. */
const FOR_SCREENS =
  /(?:^d|hid(?:e|den)|kvs|show|visible)[-_](?:[a-z\d]+[-_]){0,4}(?:desktop|tablet|mob(?:ile)?|phone|xs|sm|md|lg)|(?:desktop|tablet|mobile|phone|small|medium|large)-(?:only|visibility)/i;

/** A class by which a plugin hides an element on one kind of screen, and the names of all kinds. Bootstrap's phones are `xs`. */
const HIDES =
  /(?:^|[-_])(?:hid(?:e|den)(?:[-_]on)?|kvs|fusion-no)[-_]([a-z]+(?:-false)?)(?:-screen|-visibility)?$/;
/** A class by which one kind of screen shows an element all the same. */
const SHOWS = /^(?:visible-|d-(?:\w+-)?(?:block|flex|grid|inline))/;
const ALL_SCREENS = [
  ...['desktop tablet mobile', 'desktop tablet phone', 'desktop tab mob', 'lg md sm xs'],
  ...['large medium small', 'lg-false md-false sm-false'],
].map((names) => names.split(' '));

/** Whether an element is hidden on every screen. */
function isNeverShown(element: Element): boolean {
  const names = classesOf(element);
  if (names.some((name) => SHOWS.test(name))) return false;
  const hidden = names.map((name) => HIDES.exec(name)?.[1]);
  return ALL_SCREENS.some((screens) => screens.every((screen) => hidden.includes(screen)));
}

/** Removes what is hidden on every screen. Cells hold the place of their column. */
export function dropHidden(root: Fragment, note: NoteLoss): void {
  editChildren(root, (element) => {
    if (/^t[dh]$/.test(element.tagName) || !isNeverShown(element)) return undefined;
    note('removed', element.tagName);
    return [];
  });
}

/** Removes what says and shows the same as something before it that is for other screens. */
export function dropVersions(root: Fragment): void {
  const screensOf = (element: Element) =>
    classesOf(element)
      .filter((name) => FOR_SCREENS.test(name))
      .join(' ');
  const isVersion = (element: Element) => !/^t[dhr]$/.test(element.tagName) && screensOf(element) !== '';
  /** How often each was there for some screens, by what it says and shows. */
  const counts = new Map<string, Map<string, number>>();
  const isRepeated = (version: Element) => {
    const media = findAll(version, LOADED).map(loadedBy);
    const all = [singleLineText(version), ...media].filter(Boolean).join(' ');
    if (all === '') return false;
    const screens = screensOf(version);
    const said = counts.get(all) ?? new Map<string, number>();
    const nth = (said.get(screens) ?? 0) + 1;
    counts.set(all, said.set(screens, nth));
    return [...said].some(([others, count]) => others !== screens && count >= nth);
  };
  const repeated = new Set(findAll(root, isVersion).filter(isRepeated));
  remove(root, (element) => repeated.has(element));
}
