import { defaultTreeAdapter, parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5';

type Node = Tree.ChildNode | Tree.DocumentFragment;

const VIDEO =
  /^(?:https?:)?\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch|embed|shorts|live)|youtu\.be\/|(?:www\.|player\.)?vimeo\.com\/(?:video\/)?\d)\S*$/;

const BEHIND = /url\(\s*["']?((?:https?:|\/)[^"'()\s]+)["']?\s*\)/g;

/** Where plugins that load images lazily keep an image's address: its `src` is a placeholder then. */
const LAZY_SOURCE = /^data-(.+-)?src$/;
const SOURCE_SET = /^(data-(.+-)?)?srcset$/;
/** A value that is a picture's address as a whole, whatever a plugin names its attribute. */
const PICTURE = /^(?:https?:)?\/[^\s"'<>?]{1,2000}\.(?:jpe?g|png|gif|webp|avif)(?:\?[^\s"'<>]*)?$/i;
/** An address in a `srcset`, without the comma at its end. */
const CANDIDATE = /(?<![^\s,])(?:https?:)?\/\S*[^\s,]/gi;
/** No script runs here: the elements of a `noscript` are read, since the image in it has an address too. */
const WITHOUT_SCRIPTS = { scriptingEnabled: false };

/** A word with its combining vowels. Chinese and Japanese have no spaces: two characters take as long to read as a word. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,2}|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+/gv;

/** A longer body, and one of more elements, stays as it is: its tree would not fit into the memory of the adapter's thread. */
const MAX_LENGTH = 1_000_000;
/** The parser repeats formatting that has no end in each later paragraph. */
const MAX_ELEMENTS = 100_000;

class TooManyElements extends Error {}

/** Parses a body; null for one beyond the bounds. */
function parsed(html: string): Tree.DocumentFragment | null {
  if (html.length > MAX_LENGTH) return null;
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...element) {
      elements += 1;
      if (elements > MAX_ELEMENTS) throw new TooManyElements();
      return defaultTreeAdapter.createElement(...element);
    },
  };
  try {
    return parseFragment(html, { ...WITHOUT_SCRIPTS, treeAdapter });
  } catch (error) {
    if (error instanceof TooManyElements) return null;
    throw error;
  }
}

/** Reads the HTML of a body, as WordPress rendered it. */
export function readBody(html: string) {
  const read = parsed(html);
  const fragment = read ?? parseFragment('', WITHOUT_SCRIPTS);
  const elements = [...nodesOf(fragment)].filter((node) => 'tagName' in node);
  const valuesOf = (tag: string, valueIn: (element: Tree.Element) => string | null) =>
    elements.flatMap((element) => (element.tagName === tag ? (valueIn(element) ?? []) : []));
  const frame = elements.find(
    (element) => element.parentNode?.nodeName !== 'noscript' && VIDEO.test(videoAddress(element)),
  );
  return {
    pictures: valuesOf('img', pictureAddress),
    links: valuesOf('a', (link) => attribute(link, 'href')),
    /** Address of the first video of YouTube or Vimeo. */
    video: frame === undefined ? null : videoAddress(frame).replace(/^\/\//, 'https://'),
    words: textOf(fragment).match(WORD)?.length ?? 0,
    /** Returns the HTML with other addresses, and without the first video: the page shows it above. */
    rewritten(addressOf: (address: string, tag: string) => string): string {
      for (const { tagName, attrs } of elements)
        for (const each of attrs) {
          if (/^(src|href|poster)$/.test(each.name))
            each.value = addressOf(each.value.trim(), each.name === 'poster' ? 'img' : tagName);
          else if (SOURCE_SET.test(each.name))
            each.value = each.value.replace(CANDIDATE, (address) => addressOf(address, 'img'));
          else if (each.name.startsWith('data-') && PICTURE.test(each.value.trim()))
            each.value = addressOf(each.value.trim(), 'img');
          // The picture behind a block.
          if (each.name === 'style')
            each.value = each.value.replace(BEHIND, (_, address) => `url("${addressOf(address, 'img')}")`);
        }
      // The site drops what is empty then.
      if (frame) defaultTreeAdapter.detachNode(frame);
      return read ? serialize(read, WITHOUT_SCRIPTS) : html;
    },
  };
}

/** A link. No other begins in it: the time to find all is linear, also where none has an end. */
const LINK = /<a\b([^<>]*)>[^<]*(?:<(?!\/?a\b)[^<]*)*<\/a>/g;
/** The link to the rest that themes put at the end of an excerpt. */
const MORE_CLASS = /\sclass=(?:"[^"]*|'[^']*)\b(?:more-link|read-?more)\b/;

/** Returns an excerpt without the link to the rest, whose words may be in any language. */
export function readExcerpt(excerpt: string): string {
  return excerpt.replace(LINK, (link, attributes: string) => (MORE_CLASS.test(attributes) ? '' : link));
}

/** Yields what is below a node in document order, without recursion: a body may nest deep. */
function* nodesOf(root: Node): Generator<Tree.ChildNode> {
  const stack = 'childNodes' in root ? root.childNodes.toReversed() : [];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    // One by one: a call takes no more than some 100,000 arguments.
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) stack.push(child);
  }
}

function textOf(root: Node): string {
  const texts = [...nodesOf(root)].map((node) =>
    'value' in node && node.nodeName === '#text' ? node.value : ' ',
  );
  return texts.join('').trim();
}

function attribute({ attrs }: Tree.Element, name: string): string | null {
  return attrs.find((each) => each.name === name)?.value ?? null;
}

function pictureAddress(img: Tree.Element): string | null {
  const source = img.attrs.find(({ name }) => LAZY_SOURCE.test(name))?.value ?? attribute(img, 'src');
  if (source && !source.startsWith('data:')) return source;
  return img.attrs.find(({ name }) => SOURCE_SET.test(name))?.value.match(CANDIDATE)?.[0] ?? null;
}

/** The address of a frame, or the bare text that an embed is where WordPress could not reach the other site. */
function videoAddress(element: Tree.Element): string {
  if (element.tagName === 'iframe') return attribute(element, 'src')?.trim() ?? '';
  const [only, ...others] = element.childNodes;
  const isBare = /^(div|p)$/.test(element.tagName) && others.length === 0 && only?.nodeName === '#text';
  return isBare && 'value' in only ? only.value.trim() : '';
}
