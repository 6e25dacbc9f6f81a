import type { Element, ElementContent } from 'hast';
import { editChildren, h, remove } from '#server/html/edit-elements.ts';
import {
  attribute,
  attributesLike,
  classesOf,
  findAll,
  findByName,
  hasClass,
  isEmpty,
} from '#server/html/find-elements.ts';
import { INLINE, textContent } from '#server/html/text-content.ts';

/** Classes of the numbers that highlighters write before lines of code. Others let nobody select them. */
const LINE_NUMBER = /(?:^|[-_])(?:lnt?|linenos?|line-?(?:nos?|numbers?)|ln-n(?:umbers)?|gutter)$/i;
const UNSELECTED = /user-select:\s*none/i;

/** Whether an element within code is the number of a line. */
export function isLineNumber(element: Element): boolean {
  const isMarked = UNSELECTED.test(attribute(element, 'style')) || hasClass(element, LINE_NUMBER);
  return isMarked && /^[\d\s]*$/.test(textContent(element));
}

/** Returns the code of a table that stands for it, with the numbers of its lines in a cell beside it. */
export function codeOfTable(table: Element): ElementContent[] | undefined {
  const [numbers, code, ...others] = findAll(table, 'pre');
  const isCode = numbers !== undefined && code !== undefined && others.length === 0;
  return isCode && findAll(table, 'tr').length === 1 && /^[\d\s]+$/.test(textContent(numbers))
    ? [code]
    : undefined;
}

const LINES = /^(?:div|p|ul|ol|li|tr)$/;
/** What highlighters that number lines put them into. */
const AROUND_LINES = /^(?:table|thead|tbody|td|pre)$/;

const isLine = (node: ElementContent) => node.type === 'element' && LINES.test(node.tagName);
const newline = () => ({ type: 'text' as const, value: '\n' });

/** Makes lines of text of the blocks in a `pre` that holds nothing else: some highlighters make one of each line. Targets of links stay. */
export function endLines(pre: Element): void {
  const isOther = (inner: Element) =>
    ![LINES, AROUND_LINES, /^br$/].some((names) => names.test(inner.tagName)) &&
    !INLINE.has(inner.tagName) &&
    !isEmpty(inner);
  if (findAll(pre, isOther).length > 0) return;
  for (const holder of [pre, ...findAll(pre, 'code')])
    holder.children = holder.children.flatMap((child, at) => {
      const before = holder.children[at - 1];
      const said = before && !isLine(before) ? textContent(before) : '';
      return isLine(child) && /[^\n]$/.test(said) ? [newline(), child] : [child];
    });
  editChildren(pre, ({ tagName, properties: { id }, children }) => {
    if (!LINES.test(tagName)) return AROUND_LINES.test(tagName) ? children : undefined;
    const target = id === undefined ? [] : [h('a', { id })];
    const last = children.at(-1);
    const isEnded = last?.type === 'text' && last.value.endsWith('\n');
    return [...target, ...children, ...(isEnded ? [] : [newline()])];
  });
}

/** Gives code its language, as highlighters write it: a class (`language-js`, `brush: js;`), also of a box around it, or an attribute. */
export function nameLanguage(block: Element): undefined {
  const pre = block.tagName === 'pre' ? block : findByName(block, 'pre');
  if (!pre) return;
  const written = [block, pre, ...findAll(pre, 'code')].flatMap((element) => [
    /(?:^|\s)(?:lang(?:uage)?-|brush:\s*)([\w+#.-]+)/i.exec(classesOf(element).join(' '))?.[1] ?? '',
    ...attributesLike(element, /^data.*lang(?:uage)?$/i),
  ]);
  const language = written.find((name) => /^[\w+#.-]{1,20}$/.test(name));
  if (language === undefined) return;
  pre.properties.dataLanguage = language;
  // ChatGPT writes it above the code too, within the same box.
  remove(pre, ({ tagName, children: [only, ...others] }) => {
    const name = only?.type === 'text' && others.length === 0 ? only.value.trim() : '';
    return tagName === 'div' && name.toLowerCase() === language.toLowerCase();
  });
}
