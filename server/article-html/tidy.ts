import type { Element, ElementContent } from 'hast';
import { editChildren, editRuns, h } from '#server/html/edit-elements.ts';
import { type Fragment, findAll, findByName, isEmpty } from '#server/html/find-elements.ts';
import { INLINE, singleLineText } from '#server/html/text-content.ts';
import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
import { endLines } from './code.ts';
import { shortName } from './links.ts';
import { nestLists } from './lists.ts';

const BLOCKS =
  /^(?:p|div|figure|figcaption|blockquote|ul|ol|li|dl|dt|dd|pre|details|h[1-6]|table|caption|small)$/;
/** Blocks beside which a break would be an empty line. */
const AROUND_BREAKS = /^(?:p|div|figure|blockquote|[uo]l|dl|pre|details|h[1-6r])$/;
/** Blocks that stand in nothing but a block of their kind. */
const PARTS = /^(?:li|dt|dd|figcaption|caption)$/;
const WITHIN_LINES = /^(?:a|abbr|b|strong|i|em|u|s|del|ins|sub|sup|mark|q|cite|span|code)$/;

/** Parsers drop the first newline of a `pre`: without one the text stays the same however often it is parsed. */
function dropFirstNewlines(pre: Element): void {
  for (let first = pre.children[0]; first?.type === 'text'; first = pre.children[0]) {
    first.value = first.value.replace(/^[\r\n]+/, '');
    if (first.value !== '') return;
    pre.children.shift();
  }
}

const isInLine = (node: ElementContent | undefined) =>
  node?.type === 'element' ? INLINE.has(node.tagName) : node?.type === 'text' && node.value.trim() !== '';

/** Writes a break in place of a block without content between two parts of lines, such as the one that a lone `</p>` is. */
function breakLines(parent: Fragment | Element): void {
  const { children } = parent;
  parent.children = children.map((child, at) => {
    if (child.type !== 'element') return child;
    breakLines(child);
    const isBetween = isInLine(children[at - 1]) && isInLine(children[at + 1]);
    const isBreak = isBetween && BLOCKS.test(child.tagName) && child.properties.id === undefined;
    return isBreak && isEmpty(child) ? h('br', {}) : child;
  });
}

const isFilled = ({ tagName, properties, children }: Element) =>
  properties.id !== undefined || (/^(?:t[dh]|caption)$/.test(tagName) && !children.every(isEmpty));

const anchorOf = ({ properties }: Element) => h('a', { id: properties.id });

/** Wraps a table in a group, named by its caption, that scrolls by itself and takes the focus. */
function scrollable(table: Element, t: Translate): Element {
  const caption = findByName(table, 'caption');
  const ariaLabel = (caption && shortName(singleLineText(caption))) || t(en.table);
  return h('div', { className: ['table-scroll'], tabIndex: 0, role: 'group', ariaLabel }, [table]);
}

/** Where those may stand that HTML knows within some elements only. */
const HOLDERS: Readonly<Record<string, RegExp>> = {
  li: /^[uo]l$/,
  dt: /^d(?:l|iv)$/,
  dd: /^d(?:l|iv)$/,
  figcaption: /^figure$/,
  summary: /^details$/,
};

const isPlain = (node: Fragment | ElementContent): node is Element =>
  node.type === 'element' &&
  node.tagName === 'div' &&
  Object.values(node.properties).every((value) => value == null);

const isNoBlock = (node: ElementContent) => node.type !== 'element' || !AROUND_BREAKS.test(node.tagName);

/** Returns the parts of a box, so that blocks in it have the gaps of blocks; the box where it is one part, or words alone. */
function partsOf(box: Element): ElementContent[] {
  const parts = editRuns(box.children, isNoBlock, (run) => {
    const first = run.findIndex((node) => node.type !== 'text' || node.value.trim() !== '');
    return run.every(isEmpty) ? run : [...run.slice(0, first), h('div', {}, run.slice(first))];
  });
  return parts.filter((part) => part.type === 'element').length > 1 ? parts : [box];
}

/** Makes `div`s of parts outside of their holders (a `li` without a list), and removes breaks beside blocks, which editors leave. */
export function mendParts(parent: Fragment | Element): void {
  const name = parent.type === 'root' ? '' : parent.tagName;
  /** The part before, but for white space. */
  let last: ElementContent | undefined;
  const kept: ElementContent[] = [];
  for (const child of parent.children) {
    const isAfterBlock = last ? !isNoBlock(last) : !INLINE.has(name);
    if (isAfterBlock && child.type === 'element' && child.tagName === 'br') continue;
    if (child.type === 'element' && child.tagName !== 'pre') {
      const isMisplaced = HOLDERS[child.tagName]?.test(name) === false;
      if (isMisplaced && isEmpty(child)) continue;
      if (isMisplaced) child.tagName = 'div';
      mendParts(child);
    }
    if ((name === '' || isPlain(parent)) && isPlain(child)) kept.push(...partsOf(child));
    else kept.push(child);
    if (child.type !== 'text' || child.value.trim() !== '') last = child;
  }
  parent.children = kept;
}

/**
 * Removes blocks without content and formatting of nothing, which editors and removed elements leave; targets of links stay.
 * Mends lists and wraps tables.
 */
export function tidy(root: Fragment, t: Translate): void {
  // Before blocks without content go: in code they are lines.
  for (const pre of findAll(root, 'pre')) endLines(pre);
  breakLines(root);
  editChildren(root, (element) => {
    const { tagName, properties, children } = element;
    if (tagName === 'pre') {
      dropFirstNewlines(element);
      // It scrolls by itself, so it takes the focus; a verse wraps.
      if (!String(properties.className).includes('b-verse')) properties.tabIndex = 0;
    }
    if (tagName === 'ul' || tagName === 'ol') nestLists(element);
    // Such as the lines of e-mails, which are their borders.
    if (tagName === 'table' && findAll(element, isFilled).length === 0) return [];
    // Only the items of a numbered list have a number; some editors write it on each.
    if (tagName === 'ul')
      for (const item of children) if (item.type === 'element') delete item.properties.value;
    if (properties.id !== undefined || !isEmpty(element))
      return tagName === 'table' ? [scrollable(element, t)] : undefined;
    const targets = findAll(element, (inner) => inner.properties.id !== undefined);
    if (targets.length > 0) return PARTS.test(tagName) ? undefined : targets.map(anchorOf);
    if (BLOCKS.test(tagName)) return [];
    return WITHIN_LINES.test(tagName) ? children : undefined;
  });
}
