import type { Element, ElementContent } from 'hast';
import { editChildren, h } from '#server/html/edit-elements.ts';
import { classesOf, findAll, findByName } from '#server/html/find-elements.ts';
import { textContent } from '#server/html/text-content.ts';

const LINES = /^(?:div|p|ul|ol|li|tr)$/;
/** What some highlighters put lines into. */
const AROUND_LINES = /^(?:table|thead|tbody|td|pre)$/;

const isLine = (node: ElementContent) => node.type === 'element' && LINES.test(node.tagName);
const newline = () => ({ type: 'text' as const, value: '\n' });

/** Makes lines of text of the blocks in a `pre`: some editors make one of each line. Targets of links stay. */
export function endLines(pre: Element): void {
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

/** Gives code its language, as highlighters write it: a class (`language-js`, `brush: js;`), also of a box around it. */
export function nameLanguage(block: Element): undefined {
  const pre = block.tagName === 'pre' ? block : findByName(block, 'pre');
  if (!pre) return;
  const written = [block, pre, ...findAll(pre, 'code')].map((element) => classesOf(element).join(' '));
  const [, language] =
    /(?:^|\s)(?:lang(?:uage)?-|brush:\s*)([\w+#.-]{1,20})(?=\s|;|$)/i.exec(written.join(' ')) ?? [];
  if (language !== undefined) pre.properties.dataLanguage = language;
}
