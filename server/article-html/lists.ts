import type { Element, ElementContent, Properties } from 'hast';
import { editChildren, editRuns, h, remove, withText } from '#server/html/edit-elements.ts';
import {
  attribute,
  classesOf,
  type Fragment,
  findAll,
  hasClass,
  isEmpty,
} from '#server/html/find-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import * as en from '#shared/texts/en.ts';
import type { BodyContext } from './embeds.ts';

/** What editors write of a task into an attribute of its item, with a checkbox or without. */
const STATES = ['ariaChecked', 'dataChecked', 'dataList'];
const DONE = /^(?:true|checked)$/;
const OPEN = /^(?:false|unchecked)$/;

function isCheckbox(element: Element): boolean {
  return (
    (element.tagName === 'input' && attribute(element, 'type').toLowerCase() === 'checkbox') ||
    String(element.properties.ariaRoleDescription) === 'checkbox' ||
    hasClass(element, /^(?:checkbox-o(?:n|ff)|cdx-(?:checklist__item-|list__)checkbox)$/)
  );
}

/** Whether the task of an item is done, as its checkbox, its attributes or its class say; undefined where it is none. */
function isDone(item: Element): boolean | undefined {
  const [box] = findAll(item, isCheckbox);
  const classes = [...classesOf(item), ...(box ? classesOf(box) : [])];
  const states = STATES.map((name) => attribute(item, name));
  if (classes.some((name) => /(?:^|--)checked$|^checkbox-on$/.test(name))) return true;
  if (box?.properties.checked === true) return true;
  const state = states.find((each) => DONE.test(each) || OPEN.test(each));
  return state === undefined ? box && false : DONE.test(state);
}

/** Returns the innermost element in which the words of an item begin. */
function lineOf(item: Element): Element {
  const first = item.children.find((child) =>
    child.type === 'element' ? !isEmpty(child) : child.type === 'text' && child.value.trim() !== '',
  );
  return first?.type === 'element' && /^(?:p|div|label)$/.test(first.tagName) ? lineOf(first) : item;
}

/** Writes the state of a task as a sign before its words: a checkbox is no part of an article. */
export function signTask(item: Element, { t }: BodyContext): undefined {
  const done = isDone(item);
  if (done === undefined) return;
  remove(item, isCheckbox);
  const name = { role: 'img', ariaLabel: t(done ? en.taskDone : en.taskOpen) };
  lineOf(item).children.unshift(withText('span', done ? '☑' : '☐', name), { type: 'text', value: ' ' });
}

interface FlatItem {
  item: Element;
  /** From 0 or 1. */
  level: number;
  tagName: string;
  /** The list to which it belongs, or its name, where items of others are not of the same. */
  of?: Element | string | undefined;
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

/**
 * Whether an item holds nothing but lists, as Lexical and TinyMCE write it. One of a numbered list may have a number; Lexical
 * writes that of the `next` item.
 */
function holdsOnlyLists(item: Element, list: Element, { properties: { value } }: Element): boolean {
  if (item.properties.id !== undefined) return false;
  const hasNoMarker =
    list.tagName === 'ul' ||
    (value !== undefined && item.properties.value === value) ||
    hasClass(item, /nested/i) ||
    /list-style(?:-type)?:\s*none/i.test(attribute(item, 'style'));
  const { children } = item;
  return hasNoMarker && children.some(isList) && children.every((child) => isBlank(child) || isList(child));
}

/** Writes the kind of a list's numbers and the state of its tasks as HTML has them. */
export function recoveredList(list: Element, context: BodyContext): undefined {
  const [, marker = ''] = MARKER.exec(attribute(list, 'style')) ?? [];
  const type = /roman/i.test(marker) ? 'i' : 'a';
  if (marker !== '') list.properties.type ??= /upper/i.test(marker) ? type.toUpperCase() : type;
  const isOfTasks =
    hasClass(list, /^(?:tox-checklist|inline-task-list)$/) ||
    list.children.some((item) => item.type === 'element' && hasClass(item, 'checked'));
  const state = attribute(list, 'dataChecked') || (isOfTasks ? 'false' : '');
  for (const item of list.children) {
    if (!isListItem(item) || state === '' || isDone(item) === true) continue;
    item.properties.dataChecked = state;
    signTask(item, context);
  }
  let next: Element | undefined;
  list.children = list.children
    .toReversed()
    .map((item) => {
      if (!isListItem(item)) return [item];
      const isNone = holdsOnlyLists(item, list, next ?? item);
      next = item;
      return isNone ? item.children : [item];
    })
    .toReversed()
    .flat();
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

/** Levels that editors write into the class of an item: Quill and Draft.js. */
const INDENT = /(?:^|\s)(?:ql-indent-|public-DraftStyleDefault-depth)(\d)/;
const indentOf = (item: Element) => INDENT.exec(classesOf(item).join(' '))?.[1];
const isIndented = (node: ElementContent) =>
  isList(node) && node.children.some((item) => item.type === 'element' && indentOf(item) !== undefined);

/**
 * Returns the items of a list that names its level, or whose items do; none of any other. Google Docs and Word Online write lists
 * within others beside them, or in boxes; Quill all in one, or one for each kind beside each other (`isOfSeveral`).
 */
function levelledItems(node: ElementContent, isOfSeveral = false): FlatItem[] {
  if (node.type !== 'element') return [];
  if (node.tagName === 'div') {
    const [inner, ...others] = node.children.filter((child) => !isBlank(child));
    const boxed = inner && others.length === 0 && isList(inner) ? levelledItems(inner) : [];
    // Other boxes, such as columns and call-outs, are blocks.
    return boxed.every(({ of }) => typeof of === 'string') ? boxed : [];
  }
  const items = node.children.filter(isListItem);
  // What else is in a list would be lost.
  if (!isList(node) || !node.children.every((child) => isListItem(child) || isBlank(child))) return [];
  const { tagName, properties } = node;
  const [, name, ofAll] = /(?:^|\s)lst-(\S+)-(\d)(?:\s|$)/.exec(classesOf(node).join(' ')) ?? [];
  const levels = items
    .map((item) => ofAll ?? indentOf(item) ?? attribute(item, 'dataAriaLevel', 'ariaLevel'))
    // No list is deeper: everything that walks the tree recurses.
    .map((level) => level.replace(/\D.*/s, '').replace(/..+/, '9'));
  const isLevelled = levels.some(Boolean) || items.some((item) => attribute(item, 'dataList') !== '');
  if (!isLevelled && !isOfSeveral) return [];
  // It is the target of a link, or its numbers do not begin with 1.
  const isOfItsOwn = attribute(node, 'id', 'start') !== '';
  return items.map((item, at): FlatItem => {
    const kind = attribute(item, 'dataList');
    item.properties.dataChecked ??= properties.dataChecked;
    return {
      item,
      level: Number(levels[at]),
      tagName: kind === '' ? tagName : kind === 'ordered' ? 'ol' : 'ul',
      of:
        name ??
        (attribute(item, 'dataListid') || (isOfItsOwn || attribute(item, 'ariaLevel') ? node : undefined)),
      properties: levels[at] === levels[0] ? properties : {},
    };
  });
}

/**
 * Makes lists of the paragraphs that Word writes for their items, and of lists that name their level, also within its `div` for
 * each section.
 */
export function listWordItems(parent: Fragment | Element): void {
  for (const child of parent.children) if (child.type === 'element') listWordItems(child);
  // An item that holds one is its item.
  if (parent.type === 'element' && parent.tagName === 'li') return;
  const ofSeveral = new Set<ElementContent>();
  editRuns(
    parent.children,
    (node) => isBlank(node) || isList(node),
    (run) => {
      if (run.some(isIndented)) for (const node of run) ofSeveral.add(node);
      return run;
    },
  );
  const levelled = (node: ElementContent) => levelledItems(node, ofSeveral.has(node));
  const itemsOf = (node: ElementContent) => (isWordItem(node) ? [wordItem(node)] : levelled(node));
  const isItem = (node: ElementContent) => isWordItem(node) || levelled(node).length > 0;
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
