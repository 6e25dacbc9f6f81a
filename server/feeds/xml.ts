/** XML from a tree of elements. Text and attribute values are escaped here, and characters that XML forbids are left out. */

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

function isAllowed(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code !== 0xfffe && code !== 0xffff && !(code >= 0xd800 && code <= 0xdfff);
}

function escapeText(text: string): string {
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

function write(node: XmlNode): string {
  if (typeof node === 'string') return escapeText(node);
  const attributes = Object.entries(node.attributes ?? {}).map(
    ([name, value]) => ` ${name}="${escapeText(value)}"`,
  );
  const children = node.children ?? [];
  const open = `<${node.name}${attributes.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.map(write).join('')}</${node.name}>`;
}

/** A whole document. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}\n`;
}
