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
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`);
  const start = name + given.join('');
  return inner === '' ? `<${start}/>` : `<${start}>${inner}</${name}>`;
}

/** Returns a document. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}
