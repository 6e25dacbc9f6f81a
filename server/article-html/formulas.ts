import type { Element, ElementContent } from 'hast';
import { h, withText } from '#server/html/edit-elements.ts';
import { singleLineText } from '#server/html/text-content.ts';

/** Elements of MathML Core within `math`, but for those that act. */
export const MATH_ELEMENTS =
  'mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd'.split(
    ' ',
  );
const NAMES = new Set(MATH_ELEMENTS);
/** Elements that hold words. A parser reads HTML within them, so that what is left in them is text. */
const WORDS = /^m(?:i|n|o|s|text)$/;

function partsOf({ children }: Element): ElementContent[] {
  return children.flatMap((child): ElementContent[] => {
    if (child.type !== 'element' || child.tagName.startsWith('annotation')) return [];
    if (WORDS.test(child.tagName)) return [withText(child.tagName, singleLineText(child))];
    // As MathML Core writes a script that is not there.
    if (child.tagName === 'none') return [h('mrow', {})];
    return NAMES.has(child.tagName) ? [h(child.tagName, {}, partsOf(child))] : partsOf(child);
  });
}

/** Characters of a formula that fits a phone, with its text at twice the size. */
const MAX_FITTING = 16;

/** Returns a formula of nothing but MathML's elements and words. A long one scrolls by itself, so it takes the focus. */
export function rebuiltMath(math: Element): Element[] {
  const parts = partsOf(math);
  const isLong = singleLineText(h('span', {}, parts)).replaceAll(' ', '').length > MAX_FITTING;
  const { tabIndex: _, ...properties } = math.properties;
  return parts.length > 0 ? [h('math', { ...properties, ...(isLong && { tabIndex: 0 }) }, parts)] : [];
}
