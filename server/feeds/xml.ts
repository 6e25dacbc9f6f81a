import { setImmediate as nextTurn } from 'node:timers/promises';

/** Writes XML. Text and attribute values are escaped here, and characters that XML forbids are left out. */

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Checked first: most texts have none of these, and replacing takes most of the time. */
const TO_EDIT = /[&<>"'\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;

function isAllowed(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code !== 0xfffe && code !== 0xffff && !(code >= 0xd800 && code <= 0xdfff);
}

function escapeText(text: string): string {
  if (!TO_EDIT.test(text)) return text;
  return Array.from(text)
    .filter(isAllowed)
    .join('')
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
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
