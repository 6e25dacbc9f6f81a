import type { Element, ElementContent, Root } from 'hast';
import { editChildren, findAll, findByName, h, isCaption, isEmpty } from '#server/html/edit-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';
import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
import { endLines } from './code.ts';
import { shortName } from './links.ts';
import { nestLists } from './lists.ts';

const BLOCKS =
  /^(?:p|div|figure|figcaption|blockquote|ul|ol|li|dl|dt|dd|pre|details|h[1-6]|table|caption|small)$/;
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

const anchorOf = ({ properties }: Element) => h('a', { id: properties.id });

/** Wraps a table in a group, named by its caption, that scrolls by itself and takes the focus. */
function scrollable(table: Element, t: Translate): Element {
  const caption = findByName(table, 'caption');
  const ariaLabel = (caption && shortName(singleLineText(caption))) || t(en.table);
  return h('div', { className: ['table-scroll'], tabIndex: 0, role: 'group', ariaLabel }, [table]);
}

/** Gives a figure without a caption the one that follows it. */
function giveCaptions(parent: Root | Element): void {
  let figure: Element | undefined;
  const kept: ElementContent[] = [];
  for (const child of parent.children) {
    if (child.type === 'doctype') continue;
    if (figure && isCaption(child)) figure.children.push(child);
    else kept.push(child);
    if (child.type === 'text' && child.value.trim() === '') continue;
    const isOpen = child.type === 'element' && child.tagName === 'figure' && !child.children.some(isCaption);
    figure = isOpen ? child : undefined;
  }
  parent.children = kept;
}

/**
 * Removes blocks without content and formatting of nothing, which editors and removed elements leave; targets of links stay.
 * Mends lists and captions, and wraps tables.
 */
export function tidy(root: Root, t: Translate): void {
  // Before blocks without content go: in code they are lines.
  for (const pre of findAll(root, 'pre')) endLines(pre);
  giveCaptions(root);
  editChildren(root, (element) => {
    const { tagName, properties, children } = element;
    if (tagName === 'div') giveCaptions(element);
    if (tagName === 'pre') {
      dropFirstNewlines(element);
      // It scrolls by itself, so it takes the focus; a verse wraps.
      if (!String(properties.className).includes('b-verse')) properties.tabIndex = 0;
    }
    if (tagName === 'ul' || tagName === 'ol') nestLists(element);
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
