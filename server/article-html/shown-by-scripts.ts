import type { Element, ElementContent } from 'hast';
import { editChildren, h, withText } from '#server/html/edit-elements.ts';
import {
  attribute,
  attributesLike,
  type Fragment,
  findAll,
  hasClass,
  isEmpty,
} from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import { LOADED } from './alternate-content.ts';

/** Attributes with the number to which a script would count, and classes of the place where it writes that. */
const COUNTED =
  /^data(?:to(?:value)?|end|target|count(?:to)?|number(?:value)?|(?:pie)?value|fillamount|percent(?:age)?)$/i;
/** Settings as JSON, in which Bricks writes it. */
const SETTINGS = /^data.*(?:options|settings)$/i;
const COUNTED_IN_SETTINGS = /"count_?to":"?(-?[\d.]+)/i;
const COUNTER = /(?:^|[-_])(?:count(?:er|up)?|number(?:s|-int)?|percent(?:-value)?|chart_value)$/i;

/** Levels below an element that are searched: each element of a body may be. */
const MAX_COUNTER_DEPTH = 4;

/** Returns the first element, or below one, that holds nothing but text and has the class of a counter. */
function counterIn(element: Element, depth = MAX_COUNTER_DEPTH): Element | undefined {
  const inner = element.children.filter((child) => child.type === 'element');
  if (inner.length === 0) return hasClass(element, COUNTER) ? element : undefined;
  for (const child of depth > 0 ? inner : []) {
    const found = counterIn(child, depth - 1);
    if (found) return found;
  }
  return undefined;
}

/** Returns the words of an element, such as the name of a bar or of a circle. */
function wordsIn({ children }: Element, depth = MAX_COUNTER_DEPTH): string {
  const words = children.map((child) => {
    if (child.type === 'element') return depth > 0 ? wordsIn(child, depth - 1) : '';
    return child.type === 'text' ? child.value : '';
  });
  return words.join(' ').trim();
}

/**
 * Writes the number to which a script would count into the place that shows nothing, or the number from which it counts. The
 * number of a cell is what its column is sorted by.
 */
export function writeCount(element: Element): void {
  const inSettings = attributesLike(element, SETTINGS).flatMap(
    (json) => COUNTED_IN_SETTINGS.exec(json)?.[1] ?? [],
  );
  const counted = [...attributesLike(element, COUNTED), ...inSettings].find((value) =>
    /^-?\d[\d.,]{0,14}$/.test(value),
  );
  if (counted === undefined || /^t[dh]$/.test(element.tagName)) return;
  const place = counterIn(element);
  const words = place || element.properties.dataPercentage !== counted ? '' : wordsIn(element);
  if (words !== '' && !/\p{N}/u.test(words)) element.children.push({ type: 'text', value: ` ${counted}%` });
  const [, shown = '', unit = ''] = /^(.*?)(%?)$/.exec(place ? singleLineText(place) : '') ?? [];
  const from = ['dataFromValue', 'dataStart'].map((each) => attribute(element, each));
  if (place === undefined || !['', '0', ...from].includes(shown)) return;
  const before = attribute(element, 'dataPrefix');
  const after = attribute(element, 'dataSuffix', 'dataPieUnits');
  // Elementor's, which may be a space.
  const delimiter = String(element.properties.dataDelimiter ?? '');
  const number = counted.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, () => delimiter);
  place.children = [{ type: 'text', value: before + number + unit + after }];
}

/** Text shown in place of what a script would load, and in a `canvas` for browsers without one. */
const WAITING =
  /^(?:(?:loading\b[^.…]{0,80}|getting\b[^.…]{0,80}\bready|wird geladen)(?:\.{3}|…)|your browser does(?: not|n.t) support [^.]{0,80}\.?)$/i;

/** Whether an element, of a plugin or a `canvas`, says nothing but that something is to come. */
export function isWaiting(element: Element): boolean {
  const isOfPlugin =
    element.tagName === 'span'
      ? hasClass(element, /load|spinner|wait|placeholder/i)
      : /^(?:canvas|div)$/.test(element.tagName);
  if (!isOfPlugin) return false;
  return WAITING.test(wordsIn(element)) && findAll(element, LOADED).length === 0;
}

const HIDDEN_LINK = /\/cdn-cgi\/l\/email-protection(?:#([\da-f]+))?$/i;

/** Returns the e-mail address that Cloudflare hides: bytes in hexadecimal digits, each combined with the first. */
function hiddenMail(hidden: string): string {
  const [key = 0, ...bytes] = Buffer.from(hidden, 'hex');
  return Buffer.from(bytes.map((byte) => byte ^ key)).toString();
}

/** Writes the e-mail address that Cloudflare hides into the words and the link that have it. */
export function writeMail(element: Element): void {
  const words = attribute(element, 'dataCfemail');
  if (words !== '') element.children = [{ type: 'text', value: hiddenMail(words) }];
  const [isHidden, inLink = words] = HIDDEN_LINK.exec(attribute(element, 'href')) ?? [];
  if (isHidden && inLink !== '') element.properties.href = `mailto:${hiddenMail(inLink)}`;
}

const fromBase64 = (element: Element, name: string) =>
  Buffer.from(attribute(element, name), 'base64').toString();

/** Returns the e-mail address that Joomla hides. */
export function joomlaMail(element: Element): ElementContent[] {
  const mail = `${fromBase64(element, 'first')}@${fromBase64(element, 'last')}`;
  return [withText('a', fromBase64(element, 'text') || mail, { href: `mailto:${mail}` })];
}

/** Each is searched, and lists may stand in lists. */
const MAX_TAB_LISTS = 20;
const TAB_LISTS =
  /^(?:kt-tabs-title-list|et_pb_tabs_controls|gb-tabs__buttons|uagb-tabs__panel|su-tabs-nav)$/;
const PANELS = /^(?:kt-tab-inner-content|et_pb_tab|gb-tabs__item|uagb-tabs__body-container|su-tabs-pane)$/;

/** Whether an element has a role, or a class that means it. */
function isOf(element: Element, wanted: string, classes?: RegExp): boolean {
  return element.properties.role === wanted || (classes !== undefined && hasClass(element, classes));
}

const isPanel = (element: Element) => isOf(element, 'tabpanel', PANELS);

/** Writes the title of each tab above its panel: all panels are shown. A list of titles stands before its panels, in their order. */
export function titlePanels(root: Fragment): void {
  let tabs: Element[] = [];
  let lists = 0;
  editChildren(root, (element) => {
    const isList = isOf(element, 'tablist', TAB_LISTS);
    if (isList) lists += 1;
    if (isList && lists <= MAX_TAB_LISTS && findAll(element, isPanel).length === 0) {
      tabs = findAll(element, (inner) => isOf(inner, 'tab'));
      if (tabs.length === 0) tabs = element.children.filter((child) => child.type === 'element');
    } else if (isPanel(element)) {
      const tab = tabs.shift();
      const title = singleLineText(h('div', {}, tab?.children));
      const [heading] = findAll(element, /^h[1-6]$/);
      const isSaid = heading && singleLineText(heading) === title;
      if (title !== '' && !isSaid) element.children.unshift(h('p', {}, [withText('strong', title)]));
      if (tab) tab.children = [];
    }
    return undefined;
  });
}

/** A body has a bound of links, and each note has two. */
const MAX_NOTES = 500;
const NOTES = /^(?:modern-footnotes-footnote__note|sidenote|marginnote|glossary-tooltip-content)$/;
const HIDDEN_NOTE = /note|tooltip/i;

/** Whether an element is a note within a line, by its role, its class, or as a span that is hidden until a script shows it. */
function isNote(element: Element): boolean {
  const isHiddenSpan = element.tagName === 'span' && /display:\s*none/i.test(attribute(element, 'style'));
  return isOf(element, 'tooltip', isHiddenSpan ? HIDDEN_NOTE : NOTES) && !isEmpty(element);
}

/** Makes footnotes of notes that stand within a line, where a script shows them at a touch or a style beside it. */
export function collectNotes(root: Fragment): void {
  const notes: Element[] = [];
  const references = new Set<ElementContent>();
  editChildren(root, (element) => {
    const [mark, reference, ...others] = element.children;
    // The plugin's own number.
    if (mark?.type === 'text' && reference && references.has(reference) && others.length === 0)
      return /^[\s\d*()[\]]*$/.test(mark.value) ? [reference] : undefined;
    if (!isNote(element) || notes.length === MAX_NOTES) return undefined;
    const number = notes.length + 1;
    const back = withText('a', '↩︎', { href: `#tooltip-ref-${number}` });
    const space: ElementContent = { type: 'text', value: ' ' };
    notes.push(h('li', { id: `tooltip-${number}` }, [...element.children, space, back]));
    const properties = { href: `#tooltip-${number}`, id: `tooltip-ref-${number}` };
    const made = h('sup', {}, [withText('a', String(number), properties)]);
    references.add(made);
    return [made];
  });
  if (notes.length > 0) root.children.push(h('ol', { className: ['footnotes'] }, notes));
}
