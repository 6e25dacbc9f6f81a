import type { Element, ElementContent, Properties } from 'hast';
import { editChildren, editRuns, h, withText } from '#server/html/edit-elements.ts';
import { attribute, classesOf, type Fragment, hasClass, isEmpty } from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import * as en from '#shared/texts/en.ts';
import type { BodyContext } from './embeds.ts';

const isCheckbox = (element: Element) =>
  element.tagName === 'input' && attribute(element, 'type').toLowerCase() === 'checkbox';

/** Writes the state of each task as a sign in place of its checkbox, which is no part of an article. */
export function signTask(item: Element, { t }: BodyContext): undefined {
  editChildren(item, (box) => {
    if (!isCheckbox(box)) return undefined;
    const isDone = box.properties.checked === true;
    const name = { role: 'img', ariaLabel: t(isDone ? en.taskDone : en.taskOpen) };
    return [withText('span', isDone ? '☑' : '☐', name), { type: 'text', value: ' ' }];
  });
}

interface FlatItem {
  item: Element;
  /** From 0 or 1. */
  level: number;
  tagName: string;
  /** The name of its list, where items of others are not of the same. */
  of?: string | undefined;
  properties?: Properties;
}

/** Makes lists within lists of items that name their level. */
function nested(items: readonly FlatItem[]): Element[] {
  const lists: Element[] = [];
  let open: { list: Element; level: number; of: FlatItem['of'] }[] = [];
  for (const { item, level, tagName, of, properties = {} } of items) {
    open = open.filter(
      (outer) =>
        outer.level < level || (outer.level === level && outer.list.tagName === tagName && outer.of === of),
    );
    if (open.at(-1)?.level !== level) {
      const before = open.at(-1)?.list.children.at(-1);
      const list = h(tagName, properties);
      if (before?.type === 'element') before.children.push(list);
      else lists.push(list);
      open.push({ list, level, of });
    }
    open.at(-1)?.list.children.push(item);
  }
  return lists;
}

/** Letters and Roman numbers, which WordPress and word processors write as style. */
const MARKER = /list-style(?:-type)?:\s*((?:lower|upper)-(?:alpha|latin|roman))/i;

const isBlank = (node: ElementContent) => node.type === 'text' && node.value.trim() === '';

const isListItem = (node: ElementContent): node is Element =>
  node.type === 'element' && node.tagName === 'li';

const isList = (node: ElementContent): node is Element =>
  node.type === 'element' && /^[uo]l$/.test(node.tagName) && !hasClass(node, /gallery/);

/** Writes the kind of a list's numbers as HTML has it. */
export function recoveredList(list: Element): undefined {
  const [, marker = ''] = MARKER.exec(attribute(list, 'style')) ?? [];
  const type = /roman/i.test(marker) ? 'i' : 'a';
  if (marker !== '') list.properties.type ??= /upper/i.test(marker) ? type.toUpperCase() : type;
}

/** Makes each list within a list, as word processors nest them, part of the item before it. */
export function nestLists(list: Element): void {
  const items: ElementContent[] = [];
  for (const child of list.children) {
    const before = items.findLast((item) => item.type === 'element');
    if (!isList(child)) items.push(child);
    else if (before?.type === 'element' && before.tagName === 'li') before.children.push(child);
    else items.push(h('li', {}, [child]));
  }
  list.children = items;
}

const isWordItem = (node: ElementContent): node is Element =>
  node.type === 'element' && node.tagName === 'p' && /mso-list:\s*l\d/i.test(attribute(node, 'style'));

/** The number that Word writes before an item: the last of `2.3.`, or a letter or a Roman number before a sign. */
const NUMBER = /^\(?(?:\d+\.)*(?:(\d+)|([ivx]{1,5}|[a-z])[.)])/i;
const ROMAN = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'.split(' ');

/** Returns the kind of the numbers that begin with one, and that where it is not the first. */
function numbersFrom([, digits, letters = '']: RegExpExecArray): Properties {
  const lower = letters.toLowerCase();
  const roman = ROMAN.indexOf(lower) + 1;
  const start = digits ? Number(digits) : roman || lower.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
  const [small, large] = roman > 0 ? 'iI' : 'aA';
  const type = digits ? undefined : letters === lower ? small : large;
  return { type, start: start === 1 ? undefined : start };
}

function wordItem(paragraph: Element): FlatItem {
  const [, of, level = 1] = /mso-list:\s*(l\d+)\s+level(\d)/i.exec(attribute(paragraph, 'style')) ?? [];
  let marker = '';
  editChildren(paragraph, (inner) => {
    if (!/mso-list:\s*ignore/i.test(attribute(inner, 'style'))) return undefined;
    marker ||= singleLineText(inner);
    return [];
  });
  const number = NUMBER.exec(marker);
  const item = { item: h('li', {}, paragraph.children), level: Number(level) - 1 };
  // Bullets of two lists are one list for a reader, numbers are not.
  return number
    ? { ...item, tagName: 'ol', of, properties: numbersFrom(number) }
    : { ...item, tagName: 'ul' };
}

/** Returns the items of a list that names its level: Google Docs and Word Online write lists within others beside them. */
function levelledItems(node: ElementContent): FlatItem[] {
  if (node.type !== 'element') return [];
  if (hasClass(node, 'ListContainerWrapper')) {
    // Word Online has a box around each.
    const [inner, ...others] = node.children.filter((child) => !isBlank(child));
    return inner && others.length === 0 ? levelledItems(inner) : [];
  }
  if (!isList(node)) return [];
  const items = node.children.filter(isListItem);
  const [, of, ofAll] = /(?:^|\s)lst-(\S+)-(\d)(?:\s|$)/.exec(classesOf(node).join(' ')) ?? [];
  const levelOf = (item: Element) => ofAll ?? attribute(item, 'dataAriaLevel');
  // What else is in a list would be lost.
  const isOther = (child: ElementContent) =>
    isListItem(child) ? !/^\d$/.test(levelOf(child)) : !isBlank(child);
  if (node.children.some(isOther)) return [];
  const { tagName, properties } = node;
  return items.map((item, at) => ({
    item,
    level: Number(levelOf(item)),
    tagName,
    of: of ?? attribute(item, 'dataListid'),
    // Of lists within it none has its number or its id.
    properties: at === 0 ? properties : {},
  }));
}

/** Makes lists of the paragraphs that Word writes for their items, also in its `div` for each section, and of lists that name their level. */
export function listWordItems(parent: Fragment | Element): void {
  for (const child of parent.children) if (child.type === 'element') listWordItems(child);
  // An item that holds one is its item.
  if (parent.type === 'element' && parent.tagName === 'li') return;
  const itemsOf = (node: ElementContent) => (isWordItem(node) ? [wordItem(node)] : levelledItems(node));
  const isItem = (node: ElementContent) => isWordItem(node) || levelledItems(node).length > 0;
  const isBookmark = (node: ElementContent) =>
    node.type === 'element' && isEmpty(node) && /mso-bookmark/i.test(attribute(node, 'style'));
  parent.children = editRuns(
    parent.children,
    (node) => isBlank(node) || isBookmark(node) || isItem(node),
    (run) => {
      const first = run.findIndex(isItem);
      return first === -1 ? run : [...run.slice(0, first), ...nested(run.flatMap(itemsOf))];
    },
  );
}
