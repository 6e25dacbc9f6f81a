import { fromParse5 } from 'hast-util-from-parse5';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';
import { type Fragment, fragmentOf } from './find-elements.ts';

/** What some markup has too much of: not all of it was kept. */
export type Excess = 'too-deep' | 'too-many-attributes' | 'too-many-elements';

/** Browsers stop nesting at 512, and everything that walks the tree recurses. No article comes near it. */
const MAX_DEPTH = 256;
const MAX_ATTRIBUTES = 500;
/** Of all elements together: the parser repeats unclosed formatting, with its attributes, in every later block. */
const MAX_ALL_ATTRIBUTES = 100_000;
const MAX_ELEMENTS = 20_000;
/** Of kinds that cost more than others: each is numbered, named, resolved or rebuilt. */
const MAX_OF_KIND: ReadonlyMap<string, number> = new Map([
  ['a', 2_000],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'img', 'audio', 'video', 'table'].map(
    (name) => [name, 1_000] as const,
  ),
  ...['iframe', 'object', 'embed', 'script'].map((name) => [name, 500] as const),
]);
/** Of `<` and `&` together: each may grow sixfold when it is written out again. */
const MAX_MARKS = 100_000;
/** Characters that are read as text of markup beyond the bounds. */
const MAX_TEXT = 256 * 1024;
/** No script runs in an article, so the content of `noscript` is markup too. */
const WITHOUT_SCRIPTS = { scriptingEnabled: false };

/**
 * Parses a fragment into parse5's tree, without its comments and within bounds that the callbacks of its documented `TreeAdapter`
 * check. Without them parsing time grows with the square of the input, and a deep tree overflows the stack. Returns what it has
 * too much of where it is beyond them.
 */
function parseWithin(html: string): DefaultTreeAdapterTypes.DocumentFragment | Excess {
  if ((html.match(/[<&]/g)?.length ?? 0) > MAX_MARKS) return 'too-many-elements';
  let depth = 0;
  let elements = 0;
  let attributeCount = 0;
  const counts = new Map<string, number>();
  let excess: Excess | null = null;
  const end = (found: Excess): never => {
    excess = found;
    throw new Error(found);
  };
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement: (tagName, namespace, attributes) => {
      attributeCount += attributes.length;
      if (attributes.length > MAX_ATTRIBUTES || attributeCount > MAX_ALL_ATTRIBUTES)
        end('too-many-attributes');
      const count = (counts.get(tagName) ?? 0) + 1;
      counts.set(tagName, count);
      if (count > (MAX_OF_KIND.get(tagName) ?? MAX_ELEMENTS)) end('too-many-elements');
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    onItemPush: () => {
      depth += 1;
      elements += 1;
      if (elements > MAX_ELEMENTS) end('too-many-elements');
      if (depth > MAX_DEPTH) end('too-deep');
    },
    onItemPop: () => {
      depth -= 1;
    },
    // A comment shows nothing: without it an element with no other content is empty, and the text around it is one.
    appendChild: (parent, node) => {
      if (!defaultTreeAdapter.isCommentNode(node)) defaultTreeAdapter.appendChild(parent, node);
    },
  };
  try {
    return parseFragment(html, { ...WITHOUT_SCRIPTS, treeAdapter });
  } catch (error) {
    if (excess === null) throw error;
    return excess;
  }
}

/** Removes every tag and escapes every remaining `<`: what is left parses as text. */
function textOf(html: string): string {
  return html
    .slice(0, MAX_TEXT)
    .replace(/<[^<>]*>/g, ' ')
    .replaceAll('<', '&lt;');
}

/** Elements that do not nest, so that a body without all others is not deep. */
const FLAT = /^<\/?(?:a|audio|h[1-6]|hr|iframe|img|p|script|source|style|video)(?=[\s/>])/i;

/** A tag each of whose quotations has an end. */
const WHOLE_TAG = /^<[^"']*(?:(?:"[^"]*"|'[^']*')[^"']*)*>$/;

/** Removes all tags but those of lines, pictures, recordings and frames. */
function withoutContainers(html: string): string {
  const isKept = (tag: string) => FLAT.test(tag) && WHOLE_TAG.test(tag);
  return html.slice(0, MAX_TEXT).replace(/<[^<>]*>/g, (tag) => (isKept(tag) ? tag : ' '));
}

function rootOf(parsed: DefaultTreeAdapterTypes.DocumentFragment): Fragment {
  const root = fromParse5(parsed);
  if (root.type !== 'root') throw new TypeError(`a fragment became a ${root.type}`);
  return fragmentOf(root);
}

/**
 * Parses an HTML fragment as a browser does. Of one that is nested too deeply it keeps lines and media, without what they stand
 * in; beyond other bounds only the text. `excess` says why.
 */
export function parseBoundedHtml(html: string): { root: Fragment; excess: Excess | null } {
  const input = html.toWellFormed();
  const whole = parseWithin(input);
  if (typeof whole !== 'string') return { root: rootOf(whole), excess: null };
  const flat = whole === 'too-deep' ? parseWithin(withoutContainers(input)) : whole;
  const kept = typeof flat === 'string' ? parseFragment(textOf(input), WITHOUT_SCRIPTS) : flat;
  return { root: rootOf(kept), excess: whole };
}
