import type { Root } from 'hast';
import { defaultTreeAdapter, Parser } from 'parse5';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

/** Why markup was given up and only its text kept. */
export type Refusal = 'too-deep' | 'too-many-attributes' | 'too-many-elements';

/** Browsers stop nesting at 512, and everything behind the parser recurses; no article comes near it. */
const MAX_DEPTH = 256;
const MAX_ATTRIBUTES = 500;
const MAX_ELEMENTS = 20_000;
/** Of `<` and `&` together: each may grow sixfold when it is written out again. */
const MAX_MARKS = 100_000;
/** Of markup that was given up so much is read as text. */
const MAX_TEXT = 256 * 1024;
/** Attributes are counted between pieces of the input, before their number can hurt. */
const PIECE = 4096;
/** With fewer tags than this, and in one piece, neither bound can be reached in a way that costs time. */
const HARMLESS_MARKS = 100;

const parser = unified().use(rehypeParse, { fragment: true });

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

function attributeCount(tokenizer: object): number {
  const token: unknown = 'currentToken' in tokenizer ? tokenizer.currentToken : null;
  const attributes: unknown =
    typeof token === 'object' && token !== null && 'attrs' in token ? token.attrs : null;
  return Array.isArray(attributes) ? attributes.length : 0;
}

/** How often `<` and `&` stand in the text. */
function markCount(html: string): number {
  let marks = 0;
  for (let at = 0; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (code === 0x3c || code === 0x26) marks += 1;
  }
  return marks;
}

/**
 * Follows the real parser's open elements and attributes, and stops it at the bounds: with either unbounded its time
 * grows with the square of the input, and what builds a tree from its result overflows the stack.
 */
function refusalOf(html: string): Refusal | null {
  const marks = markCount(html);
  if (marks > MAX_MARKS) return 'too-many-elements';
  if (marks <= HARMLESS_MARKS && html.length <= PIECE * 2) return null;
  let depth = 0;
  let elements = 0;
  const treeAdapter = {
    ...defaultTreeAdapter,
    onItemPush: () => {
      depth += 1;
      elements += 1;
      if (elements > MAX_ELEMENTS) throw new Refused('too-many-elements');
      if (depth > MAX_DEPTH) throw new Refused('too-deep');
    },
    onItemPop: () => {
      depth -= 1;
    },
  };
  try {
    const { tokenizer } = Parser.getFragmentParser(null, { treeAdapter });
    for (let at = 0; at < html.length; at += PIECE) {
      tokenizer.write(html.slice(at, at + PIECE), at + PIECE >= html.length);
      if (attributeCount(tokenizer) > MAX_ATTRIBUTES) throw new Refused('too-many-attributes');
    }
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** Its text alone, as markup that can be parsed: every tag is gone, every remaining `<` is a character. */
function withoutTags(html: string): string {
  return html
    .slice(0, MAX_TEXT)
    .replace(/<[^<>]*>/g, ' ')
    .replaceAll('<', '&lt;');
}

/** Parses an HTML fragment as a browser would. Beyond the bounds only its text is kept, and `refusal` says why. */
export function parseHtml(html: string): { root: Root; refusal: Refusal | null } {
  const input = html.toWellFormed();
  const refusal = refusalOf(input);
  return { root: parser.parse(refusal === null ? input : withoutTags(input)), refusal };
}
