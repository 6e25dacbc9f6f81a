import { inSlices } from './archive/in-slices.ts';

/** A tree of XML elements. Text and attribute values are escaped here, and characters that XML forbids are left out. */

export type XmlNode = string | XmlElement;

export interface XmlElement {
  name: string;
  attributes?: Record<string, string>;
  children?: XmlNode[];
}

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

/** An element with text or children. */
export function element(
  name: string,
  content: string | XmlNode[],
  attributes: Record<string, string> = {},
): XmlElement {
  return { name, attributes, children: typeof content === 'string' ? [content] : content };
}

/** Returns the name and attributes of an element, as in its start tag. */
function startOf({ name, attributes = {} }: XmlElement): string {
  return (
    name +
    Object.entries(attributes)
      .map(([key, value]) => ` ${key}="${escapeText(value)}"`)
      .join('')
  );
}

function write(node: XmlNode): string {
  if (typeof node === 'string') return escapeText(node);
  const { name, children = [] } = node;
  const start = startOf(node);
  return children.length === 0 ? `<${start}/>` : `<${start}>${children.map(write).join('')}</${name}>`;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Serialises a document. */
export function xmlDocument(root: XmlElement): string {
  return `${DECLARATION}${write(root)}\n`;
}

/** Children serialised at once: a few milliseconds. */
const SLICE_SIZE = 500;

/** Serialises a document whose root has a child for each of `items`, in slices that leave the event loop free between them. */
export async function longXmlDocument<T>(
  name: string,
  attributes: Record<string, string>,
  items: readonly T[],
  childOf: (item: T) => XmlElement,
): Promise<string> {
  const parts = [`${DECLARATION}<${startOf({ name, attributes })}>`];
  for await (const slice of inSlices(items, SLICE_SIZE))
    parts.push(...slice.map((item) => write(childOf(item))));
  return `${parts.join('')}</${name}>\n`;
}
