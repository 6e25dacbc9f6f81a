import { setImmediate as nextTurn } from 'node:timers/promises';

/** Writes XML. Text and attribute values are escaped here, and characters that XML forbids are left out. */

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** What is no `Char` of XML 1.0 (2.2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function escapeText(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Returns an element with a text, or with elements. */
export function element(
  name: string,
  content: string | readonly string[],
  attributes: Record<string, string> = {},
): string {
  const inner = typeof content === 'string' ? escapeText(content) : content.join('');
  const start = startOf(name, attributes);
  return inner === '' ? `<${start}/>` : `<${start}>${inner}</${name}>`;
}

/** Returns the name and attributes of an element, as in its start tag. */
function startOf(name: string, attributes: Record<string, string>): string {
  return (
    name +
    Object.entries(attributes)
      .map(([key, value]) => ` ${key}="${escapeText(value)}"`)
      .join('')
  );
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Returns a document. */
export function xmlDocument(root: string): string {
  return `${DECLARATION}${root}\n`;
}

/** Children written at once: a few milliseconds. */
const SLICE_SIZE = 500;

/** Returns a document whose root has a child for each of `items`, in slices that leave the event loop free between them. */
export async function longXmlDocument<T>(
  name: string,
  attributes: Record<string, string>,
  items: readonly T[],
  childOf: (item: T) => string,
): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < items.length; from += SLICE_SIZE) {
    if (from > 0) await nextTurn();
    parts.push(...items.slice(from, from + SLICE_SIZE).map(childOf));
  }
  return xmlDocument(element(name, parts, attributes));
}
